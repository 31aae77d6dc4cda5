from report import Report
from stockreport import StockReport


def test_plain():
    assert Report([(1, 2)]).render() == "Report\n======\n1 2\n1 rows"


def test_stock():
    assert StockReport([("nut", 0), ("bolt", 3)]).render().endswith("1 articles out of stock")
