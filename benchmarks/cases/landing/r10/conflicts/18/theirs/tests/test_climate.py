import pytest

from climate import averages, hottest, load


@pytest.fixture
def path(tmp_path):
    p = tmp_path / "log.txt"
    p.write_text("roof 31.5\ncellar 12.0\nroof 28.5\n", encoding="utf-8")
    return p


def test_load_one_sensor(path):
    assert [row.celsius for row in load(path, "roof")] == [31.5, 28.5]


def test_averages(path):
    assert averages(path) == {"roof": 30.0, "cellar": 12.0}


def test_hottest(path):
    assert hottest(path).celsius == 31.5
