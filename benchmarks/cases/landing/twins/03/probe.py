import reorder
from stock import take
take({'nut': 9}, 'nut', 6)
assert reorder.orders
