from paint import litres
from shapes import Rect
assert litres([Rect(5, 2)]) == 1
