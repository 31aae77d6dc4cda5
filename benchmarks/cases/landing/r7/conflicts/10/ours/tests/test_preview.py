from bundle.preview import preview
from bundle.process import Result


def test_first_line(tmp_path):
    (tmp_path / "a.txt").write_text("A vase\nfrom Attica\n")
    (tmp_path / "b.jpg").write_bytes(b"x")
    r = Result(tmp_path, ["a.txt", "b.jpg"], 20)
    assert preview(r) == {"a.txt": "A vase"}
