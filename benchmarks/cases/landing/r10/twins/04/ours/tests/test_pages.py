from wiki.pages import Wiki
from wiki.text import summary


def test_add_and_get():
    wiki = Wiki()
    slug = wiki.add("Getting started", "Install it.")
    assert slug == "getting-started"
    assert wiki.get(slug) == ("Getting started", "Install it.")


def test_summary():
    assert summary("one two three", words=2) == "one two\u2026"
