import re

from todo import items


def test_times():
    item = items.new("write")
    assert items.is_open(item)
    items.finish(item)
    assert not items.is_open(item)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", item["done"])
    assert item["created"] <= item["done"]
