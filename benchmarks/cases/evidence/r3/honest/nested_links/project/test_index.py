from feeds.feed import Feed
from feeds.index import Index

LINES = ["http://a.test one", "http://b.test two"]


def test_index():
    items = Feed().read(LINES)["entries"]
    entries = [{"url": item["link"], "title": item["title"]} for item in items]
    assert Index().add(entries=entries)["index"] == {"one": "http://a.test", "two": "http://b.test"}
