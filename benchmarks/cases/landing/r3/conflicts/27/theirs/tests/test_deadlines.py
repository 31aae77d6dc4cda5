import datetime

from todo import items
from todo.deadlines import sort_out

NOW = datetime.datetime(2024, 5, 10, 12)


def test_sort_out():
    todo = [items.new("b", "2024-05-10"), items.new("a", "2024-05-10T11:00:00Z"), items.new("c", "2024-06-01"),
            items.new("d"), items.finish(items.new("e", "2024-05-01"))]
    assert sort_out(todo, NOW) == {"late": ["a"], "soon": ["b"]}


def test_nothing():
    assert sort_out([items.new("d")]) == {"late": [], "soon": []}
