from market import BOOKS, Exchange, Portfolio, Tick

exchange = Exchange()
for symbol in BOOKS:
    tick = Tick(exchange.tick(symbol))
    print(f"{tick.symbol} {tick.last:.2f} ({tick.ask - tick.bid:.1f})")
print(Portfolio(3).value(2.0))
