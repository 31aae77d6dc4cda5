from backup import manifest
from backup.job import Job


def test_verify(tmp_path):
    job = Job("-", str(tmp_path / "a"))
    assert manifest.verify(job) == "missing"
    (tmp_path / "a").write_text("1")
    manifest.write(job)
    assert manifest.verify(job) == "ok"
    (tmp_path / "a").write_text("2")
    assert manifest.verify(job) == "changed"
