from tags import Tag
from cloud import distinct
assert distinct([{'tags': [Tag('a'), Tag('b')]}]) == 2
