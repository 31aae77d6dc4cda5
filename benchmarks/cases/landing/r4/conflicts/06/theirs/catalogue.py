"""Searching the library's catalogue."""


def matches(book, text):
    text = text.casefold()
    return text in book["title"].casefold() or text in book["author"].casefold()


def find(books, text, limit=None):
    """Books with the text in title or author, at most `limit` of them."""
    found = []
    for book in books:
        if limit is not None and len(found) >= limit:
            break
        if matches(book, text):
            found.append(book)
    return found
