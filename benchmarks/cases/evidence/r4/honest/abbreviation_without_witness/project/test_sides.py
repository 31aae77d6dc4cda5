from shelf import Shelf
from tag import Tag


def test_shelf():
    assert "blue" in Shelf().item("m")["description"]


def test_tag():
    assert "<p>d</p>" in Tag().render("t", "d")["html"]
