from bakery.nodes import Counter, Oven

DEFAULTS = {"kind": "roll", "pieces": 12}
order = {**DEFAULTS, **Counter().ask("bun")}
print(Oven().bake(kind=order["kind"], trays=order["pieces"] // 12)["minutes"])
