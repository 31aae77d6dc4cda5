from order import Order
from revenue import revenue

a, b = Order(10), Order(7)
a.pay()
b.pay()
b.refund()
assert revenue([a, b]) == 10
