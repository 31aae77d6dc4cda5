import zipfile

from bundle.process import process


def test_counts_files(tmp_path):
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as z:
        z.writestr("readme.txt", "hello")
        z.writestr("img/one.txt", "abc")
    r = process(tmp_path / "b.zip")
    assert r.names == ["img/one.txt", "readme.txt"]
    assert r.size == 8
