from reports.base import Report
from reports.stock import LowStock

ROWS = [{"item": "bolt", "count": 2}, {"item": "nut", "count": 50}]


def test_plain():
    assert Report(ROWS[:1]).render() == "== report ==\ncount=2  item=bolt\n-- 1 rows"


def test_low_stock():
    assert LowStock(ROWS).render().splitlines() == ["== low stock ==", "bolt           2", "-- 1 rows"]
