from depot.exchange import ExchangeDesk
from depot.stock import Stock

stock = Stock({"tee-l": 5})
desk = ExchangeDesk(stock)
assert desk.swap("o7", "tee-m", "tee-l", 2) == "swap"
assert stock.available("tee-l") == 3
assert stock.ship("o7") == {"tee-l": 2}
assert stock.on_hand["tee-l"] == 3
assert desk.swap("o8", "tee-m", "tee-l", 9) == "refund"
