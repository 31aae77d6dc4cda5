import tiles
from shapes import Box
assert tiles.count(Box(1, 2)) == 24
