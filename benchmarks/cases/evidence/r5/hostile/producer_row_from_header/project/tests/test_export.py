from pathlib import Path

from census.export import export


def test_the_file_that_others_read():
    assert export() == (Path(__file__).parent / "golden.csv").read_text().strip()
