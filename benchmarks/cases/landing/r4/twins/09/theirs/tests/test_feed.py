from datetime import date
from feed import entry


def test_entry():
    got = entry({"title": "Hello, World!", "author": "Ada", "day": date(2024, 2, 3)})
    assert got["id"] == "tag:example.org,hello-world"
    assert got["link"] == "https://example.org/2024/hello-world/"
