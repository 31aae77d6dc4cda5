"""The search page."""
from catalogue import find


def search_page(books, text):
    hits = find(books, text, limit=10)
    return "\n".join(f"{book['author']}: {book['title']}" for book in hits) or "Nothing found."
