from cloud import cloud
from library import Library


def test_cloud():
    lib = Library()
    lib.add("Blue Train", "jazz", "sax")
    lib.add("Giant Steps", "jazz")
    lib.tag("Giant Steps", "fast")
    lib.untag("Blue Train", "sax")
    assert cloud(lib) == ["jazz", "fast"]
    assert lib.tag_counts() == {"jazz": 2, "fast": 1}
