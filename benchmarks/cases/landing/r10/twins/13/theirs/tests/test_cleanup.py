from cleanup import normalise, rename_tag
from library import Library


def library():
    lib = Library()
    lib.add("Blue Train", "jazz", "Hard  Bop")
    lib.add("Giant Steps", "Jazz")
    return lib


def test_rename_tag():
    lib = library()
    assert rename_tag(lib, "jazz", "old jazz") == 1
    assert lib.tracks["Blue Train"].tags == {"old jazz", "Hard  Bop"}


def test_normalise():
    lib = library()
    assert normalise(lib) == {"Hard  Bop": "hard bop", "Jazz": "jazz"}
    assert lib.tag_counts() == {"jazz": 2, "hard bop": 1}
