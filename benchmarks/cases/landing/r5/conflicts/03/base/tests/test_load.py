from orders.export import lines
from orders.load import read_orders

TEXT = "customer,amount\nann,30\nbo,10\n"


def test_read(tmp_path):
    p = tmp_path / "day.csv"
    p.write_text(TEXT)
    assert [r["amount"] for r in read_orders(p)] == [30, 10]


def test_lines(tmp_path):
    p = tmp_path / "day.csv"
    p.write_text(TEXT)
    assert lines(p) == ["ann;30", "bo;10"]
