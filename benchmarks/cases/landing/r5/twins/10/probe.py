from app.models import Item
from app.pricing import bundle

assert bundle("set", [Item("tea", 100, 2), Item("cup", 300)]).cost == 450
