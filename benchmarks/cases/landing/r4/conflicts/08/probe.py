from sales import SalesReport

text = SalesReport([("tea", 3.5), ("milk", 1)]).render()
assert text.splitlines()[-1].split() == ["Total", "4.50"], text
