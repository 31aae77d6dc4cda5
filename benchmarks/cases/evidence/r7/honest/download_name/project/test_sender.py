import pytest
from sender import Sender
from store import Store


@pytest.fixture
def stored():
    files = {"a": "A b.txt"}
    yield Store(files).fetch("a")
    files.clear()


def test_header(stored, capsys):
    Sender().send(attachment_filename=stored["download_name"])
    assert capsys.readouterr().out == 'Content-Disposition: attachment; filename="A b.txt"\n'
