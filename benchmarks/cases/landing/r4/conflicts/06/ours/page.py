"""The search page."""
from catalogue import find


def search_page(books, text):
    hits = find(books, text)
    return "\n".join(f"{book['author']}: {book['title']}" for book in hits) or "Nothing found."
