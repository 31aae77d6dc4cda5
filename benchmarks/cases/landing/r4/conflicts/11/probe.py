from orders import Order
from shipping import to_pack

assert to_pack([Order(1, 500, [("2024-01-02", 100)])]) == []
