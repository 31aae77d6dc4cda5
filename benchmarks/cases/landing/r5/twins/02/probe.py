from shop.basket import Basket
from shop.quick import quick_add

mine = Basket("ann")
quick_add("tea", 4, mine)
assert mine.total() == 4, f"first tap went to another basket: {mine.total()}"
