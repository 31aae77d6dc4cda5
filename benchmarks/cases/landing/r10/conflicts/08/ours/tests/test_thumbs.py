from thumbs import build


def test_previews_of_new_pictures(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"x" * 100)
    (tmp_path / "b.txt").write_bytes(b"text")
    settings = {"upload_dir": str(tmp_path)}
    assert build(settings) == ["a.jpg"]
    assert (tmp_path / "thumbs" / "a.jpg").read_bytes() == b"x" * 16
    assert build(settings) == []


def test_nothing_uploaded_yet(tmp_path):
    assert build({"upload_dir": str(tmp_path / "none")}) == []
