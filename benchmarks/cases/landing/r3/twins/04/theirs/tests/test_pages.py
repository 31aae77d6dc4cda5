from sitegen.pages import index, page_path


def test_path():
    assert page_path("Hello, World!") == "/posts/hello-world.html"
    assert page_path("!!!") == "/posts/untitled.html"
    assert page_path("Crème") == "/posts/creme.html"


def test_index_is_newest_first():
    posts = [{"title": "One", "date": "2024-01-01"}, {"title": "Two & more", "date": "2024-02-01"}]
    assert index(posts).splitlines()[0] == '<a href="/posts/two-more.html">Two &amp; more</a>'
