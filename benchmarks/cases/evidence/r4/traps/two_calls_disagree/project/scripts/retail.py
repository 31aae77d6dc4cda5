from shop.charger import Charger
from shop.invoicing import Invoicing

invoice = Invoicing().make("R-1", 100.0)
print(Charger().charge(number=invoice["number"], amount=invoice["gross"])["text"])
