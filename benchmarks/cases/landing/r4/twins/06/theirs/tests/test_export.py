from export import export


def test_export():
    books = [{"title": "Emma", "author": "Austen"}, {"title": "Dune", "author": "Herbert"}]
    assert export(books, "austen") == "title,author\nEmma,Austen\n"
