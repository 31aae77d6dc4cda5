from orders.export import lines
from orders.load import read_orders

TEXT = "customer,amount\nann,30\nbo,10\n"


def test_read(tmp_path):
    p = tmp_path / "day.csv"
    p.write_text(TEXT)
    assert [r["amount"] for r in read_orders(p)] == [30, 10]


def test_read_is_lazy(tmp_path):
    p = tmp_path / "day.csv"
    p.write_text(TEXT)
    assert next(read_orders(p))["customer"] == "ann"


def test_lines(tmp_path):
    p = tmp_path / "day.csv"
    p.write_text(TEXT)
    assert lines(p) == ["ann;30", "bo;10"]
