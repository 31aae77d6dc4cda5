from shop.charger import Charger
from shop.invoicing import Invoicing

invoice = Invoicing().make("B-7", 100.0)
print(Charger().charge(number=invoice["number"], amount=invoice["net"])["text"])
