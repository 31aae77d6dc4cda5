from viewer.image import Image
from viewer.window import Window


def test_open():
    shape = Image().load([[0, 0, 0], [1, 1, 1]])["shape"]
    assert Window().open(size=shape[::-1]) == {"title": "landscape"}
