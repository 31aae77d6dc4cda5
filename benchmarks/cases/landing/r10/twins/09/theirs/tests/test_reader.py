from reader import parse_line, read, totals
from statement import Transaction

LINES = [
    "2024-05-01Baker                       -350rolls               ",
    "",
    "2024-05-03Baker                       -200                    ",
    "2024-05-04Employer                  250000May                 ",
]


def test_parse_line():
    assert parse_line(LINES[0]) == Transaction("2024-05-01", "Baker", -350, "rolls")


def test_blank_lines_are_skipped():
    assert len(read(LINES)) == 3


def test_totals():
    assert totals(read(LINES)) == {"Baker": -550, "Employer": 250000}
