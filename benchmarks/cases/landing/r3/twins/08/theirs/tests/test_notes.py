from notes.cli import show
from notes.store import Store


def test_show(tmp_path):
    Store(tmp_path).save("a", {"title": "A", "text": "body"})
    assert show(tmp_path, "a") == (0, "A\nbody")
    assert show(tmp_path, "b") == (1, "no such note: b")
    assert show(tmp_path, "../b")[0] == 1
