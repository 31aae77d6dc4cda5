from cleanup import normalise
from cloud import cloud
from library import Library

lib = Library()
lib.add("Blue Train", "jazz")
lib.add("Giant Steps", "Jazz")
assert sorted(cloud(lib)) == ["Jazz", "jazz"]
normalise(lib)
assert cloud(lib) == ["jazz"], cloud(lib)
assert lib.tag_counts() == {"jazz": 2}, lib.tag_counts()
