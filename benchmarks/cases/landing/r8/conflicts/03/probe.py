from shop.app import Application

app = Application()
app.orders.create("A1", "kim", [("tea", 2, 450), ("pot", 1, 1999)])
app.orders.pay("A1")
assert app.receipts.lines == ["A1: 28.99 EUR"], app.receipts.lines
assert app.loyalty.points == {"kim": 2}, app.loyalty.points
