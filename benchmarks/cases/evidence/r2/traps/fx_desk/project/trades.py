from desk import Deal, Market

for side in ["sell", "buy"]:
    quote = Market().quote("EURUSD")
    print(side, Deal().settle(price=quote[{"buy": "ask", "sell": "bid"}[side]])["cost"])
