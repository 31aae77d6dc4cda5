from library import Library


def move(shelf, isbns):
    library = Library()
    for isbn in isbns:
        book = library.find(isbn)
        shelf.put(title=book["name"])
    return shelf
