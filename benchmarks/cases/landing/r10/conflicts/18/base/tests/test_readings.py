from alarm import first_over
from readings import Reading


def test_first_over(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("roof 21.5\ncellar 12.0\nroof 38.5\n", encoding="utf-8")
    assert first_over(path, 30) == Reading("roof", 38.5)
    assert first_over(path, 50) is None
