from broker import Broker

LEVELS = {"cash": (0, 990), "share": (3, 60)}
broker = Broker()
for kind, levels in LEVELS.items():
    for level in levels:
        settings = {"cash_limit": 2000} if kind != "cash" else {}
        print(kind, level, broker.buy(**settings | {f"{kind}_limit": level})["shares"])
