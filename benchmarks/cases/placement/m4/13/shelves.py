from functools import lru_cache

CATALOGUE = {
    'QA76.73': [('Lutz', 'Learning Python'), ('Kernighan', 'C')],
    'PR6039': [('Tolkien', 'The Hobbit'), ('Tolkien', 'The Silmarillion')],
    'QB43.3': [('Carroll', 'Universe')],
    'PT2603': [('Brecht', 'Galileo')],
}


@lru_cache(maxsize=None)
def shelf(prefix):
    '''All books whose call number starts with the prefix.'''
    hits = []
    for number in sorted(CATALOGUE):
        if number.startswith(prefix):
            hits.extend(title for _, title in CATALOGUE[number])
    return hits


@lru_cache(maxsize=None)
def authors(prefix):
    return tuple(sorted({a for n, books in CATALOGUE.items() if n.startswith(prefix) for a, _ in books}))
