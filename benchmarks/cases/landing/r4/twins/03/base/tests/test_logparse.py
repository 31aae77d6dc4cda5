from datetime import date
from logparse import errors, parse_line


def test_parse():
    assert parse_line("2024-01-05 ERROR disk full") == (date(2024, 1, 5), "ERROR", "disk full")


def test_errors():
    assert errors(["2024-01-05 INFO up", "2024-01-05 ERROR down"]) == ["down"]
