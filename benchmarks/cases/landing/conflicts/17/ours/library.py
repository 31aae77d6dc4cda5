BOOKS = ['Dune', 'Dubliners', 'Emma']


def search(prefix):
    for title in BOOKS:
        if title.startswith(prefix):
            yield title
