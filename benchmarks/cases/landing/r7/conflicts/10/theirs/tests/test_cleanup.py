import tempfile
import zipfile

from bundle.process import process


def test_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as z:
        z.writestr("readme.txt", "hello")
    process(tmp_path / "b.zip")
    assert list((tmp_path / "t").iterdir()) == []
