from printer import Printer
from till import Till

EUR_PER_CHF = 1.05

day = Till().close([12.5, 7.5])
print(day["takings"])
printer = Printer()
print(printer.slip(amount=day["takings"] * EUR_PER_CHF)["text"])
print(printer.slip(amount=3.0, currency="USD")["text"])
