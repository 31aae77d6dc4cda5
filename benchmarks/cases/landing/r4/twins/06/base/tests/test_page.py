from page import search_page

BOOKS = [{"title": "Emma", "author": "Austen"}, {"title": "Dune", "author": "Herbert"}]


def test_page():
    assert search_page(BOOKS, "emma") == "Austen: Emma"
    assert search_page(BOOKS, "zzz") == "Nothing found."
