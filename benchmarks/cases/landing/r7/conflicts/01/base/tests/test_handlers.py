from sorter.handlers import ScanHandlers
from sorter.labels import CODES


def test_every_printed_code_is_understood():
    for code in CODES:
        h = ScanHandlers()
        h.handle(code, "P1")
        assert h.log == []


def test_in_and_out():
    h = ScanHandlers()
    assert h.handle("IN", "P1") == "arrived"
    assert h.handle("OUT", "P1") == "shipped"
