BOOKS = ['Dune', 'Dubliners', 'Emma']


def search(prefix):
    found = []
    for title in BOOKS:
        if title.startswith(prefix):
            found.append(title)
    return found
