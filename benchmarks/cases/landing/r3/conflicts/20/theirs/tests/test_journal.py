import datetime

from journal.service import Stock
from journal.writer import Journal


def test_line(tmp_path):
    journal = Journal(tmp_path / "j", lambda: datetime.datetime(2024, 5, 1, 8))
    assert journal.write("ada", "x|y") == "2024-05-01T08:00:00|ada|x/y|"


def test_stock(tmp_path):
    stock = Stock(Journal(tmp_path / "j"))
    assert stock.change("ada", "bolt", 3) == 3
    assert "bolt +3" in (tmp_path / "j").read_text()
