from wiki.feed import entry, feed
from wiki.pages import Wiki


def test_entry():
    made = entry("Q & A", "Ask away.", "https://wiki.example/")
    assert "<title>Q &amp; A</title>" in made
    assert 'href="https://wiki.example/page/q-a"' in made


def test_newest_first():
    wiki = Wiki()
    for title in ("One", "Two", "Three"):
        wiki.add(title, "text")
    made = feed(wiki, "https://wiki.example", limit=2)
    assert "One" not in made
    assert made.index("Three") < made.index("Two")
