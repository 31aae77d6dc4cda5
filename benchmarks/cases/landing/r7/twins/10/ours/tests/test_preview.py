from bundle.preview import preview
from bundle.process import Result


def test_titles(tmp_path):
    r = Result(tmp_path, ["a_vase.txt", "b.jpg"], 20)
    assert preview(r) == {"a_vase.txt": "a vase"}
