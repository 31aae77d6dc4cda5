from stocktake import Variance, book, variances
from warehouse import Warehouse


def stocked():
    w = Warehouse("north")
    w.receive("bolt", 10)
    w.receive("nut", 5)
    return w


def test_nothing_to_report():
    assert variances(stocked(), {"bolt": 10, "nut": 5}) == []


def test_missing_and_surplus():
    assert variances(stocked(), {"bolt": 12, "washer": 1}) == [
        Variance("bolt", 12, 10), Variance("nut", 0, 5), Variance("washer", 1, 0)]


def test_book_writes_the_count():
    w = stocked()
    assert [v.difference for v in book(w, {"bolt": 9, "nut": 5})] == [-1]
    assert w.stock == {"bolt": 9, "nut": 5}
