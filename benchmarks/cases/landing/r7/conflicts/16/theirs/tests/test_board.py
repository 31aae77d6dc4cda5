import pytest

from board.notices import Board
from board.page import page


def test_page():
    b = Board()
    b.submit("Lost cat", "black, answers to Tom")
    assert page(b) == "<article><h2>Lost cat</h2><p>black, answers to Tom</p></article>"


def test_title_needed():
    with pytest.raises(ValueError):
        Board().submit("  ", "x")
