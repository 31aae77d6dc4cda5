from basket import Basket
from receipt import Receipt

print(Basket().sum()["items"])
print(Receipt().print_(499, 1))
