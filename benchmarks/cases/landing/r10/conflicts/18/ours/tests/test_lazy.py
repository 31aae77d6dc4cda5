import pytest

from alarm import first_over
from readings import BadLine, Reading, ReadingLog


def test_rows_come_one_by_one(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("roof 21.5\nbroken\n", encoding="utf-8")
    with ReadingLog(path) as log:
        rows = log.rows()
        assert next(rows) == Reading("roof", 21.5)
        with pytest.raises(BadLine, match="line 2: 'broken'"):
            next(rows)


def test_alarm_does_not_read_on(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("roof 41.5\nbroken\n", encoding="utf-8")
    assert first_over(path, 30) == Reading("roof", 41.5)
