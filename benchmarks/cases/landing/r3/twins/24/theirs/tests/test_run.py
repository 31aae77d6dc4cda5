import pytest

from backup.job import Job
from backup.run import run


def test_copy(tmp_path):
    source = tmp_path / "a"
    source.write_text("12345")
    job = Job.parse(f"{source} -> x/y/a", root=str(tmp_path))
    assert run(job) == 5
    assert (tmp_path / "x/y/a").read_text() == "12345"


def test_no_target():
    with pytest.raises(ValueError):
        Job.parse("a ->")
