from logscan.report import count_levels, summary

LINES = ["2024-05-01T10:00:00 INFO db: open\n", "garbage\n", "2024-05-01T10:00:03 ERROR db: lost\n",
         "2024-05-01T10:00:04 ERROR api: 502\n"]


def test_counts():
    assert count_levels(LINES) == {"INFO": 1, "ERROR": 2}


def test_summary():
    assert summary(LINES) == "ERROR=2, INFO=1"
