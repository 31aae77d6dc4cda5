from journal.tail import tail
from journal.writer import SEPARATOR

LINES = ["2024-05-01T08:00:00|ada|login|\n", "2024-05-01T08:01:00|bob|change|bolt +3\n", "cut off",
         "2024-05-01T08:02:00|ada|logout|\n"]
LINES = [line.replace("|", SEPARATOR) for line in LINES]


def test_newest_first():
    assert [entry["action"] for entry in tail(LINES)] == ["logout", "change", "login"]
    assert [entry["action"] for entry in tail(LINES, who="ada", count=1)] == ["logout"]
