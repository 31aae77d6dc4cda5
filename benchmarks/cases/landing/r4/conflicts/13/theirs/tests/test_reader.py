from itertools import count
from reader import read_rows


def test_reads_no_further_than_asked():
    endless = (f"n{n};{n}" for n in count())
    rows = read_rows(endless)
    assert next(rows) == {"n0": "n1", "0": "1"}
