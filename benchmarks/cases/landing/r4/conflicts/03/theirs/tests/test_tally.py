from tally import tally


def test_tally():
    counts, skipped = tally(["2024-01-05 INFO up", "05.01.2024 INFO odd date", "2024-01-06 INFO still up"])
    assert counts == {"INFO": 2}
    assert skipped == 1
