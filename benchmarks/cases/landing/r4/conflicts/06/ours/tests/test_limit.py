from catalogue import find


def test_default_limit():
    books = [{"title": f"Part {n}", "author": "King"} for n in range(30)]
    assert len(find(books, "king")) == 20
    assert len(find(books, "king", limit=None)) == 30
