from cloud import cloud
from library import Library


def test_counted_only_once():
    lib = Library()
    lib.add("Blue Train", "jazz")
    assert lib.tag_counts() is lib.tag_counts()


def test_counted_again_after_a_change():
    lib = Library()
    lib.add("Blue Train", "jazz")
    assert lib.tag_counts() == {"jazz": 1}
    lib.tag("Blue Train", "sax")
    assert lib.tag_counts() == {"jazz": 1, "sax": 1}
    lib.untag("Blue Train", "jazz")
    assert lib.tag_counts() == {"sax": 1}
    lib.add("Naima", "sax")
    assert lib.tag_counts() == {"sax": 2}


def test_empty_cloud():
    assert cloud(Library(), limit=0) == []
