from photos.index import word_count
from photos.workspace import Workspace


def test_put():
    with Workspace("t") as ws:
        assert ws.put("a.txt", "hello").read_text() == "hello"


def test_word_count():
    assert word_count(["two words", "and three more"]) == 5
