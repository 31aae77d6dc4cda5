from graphbus_core import GraphBusNode, subscribe

import recipes


class CustomOrders(GraphBusNode):
    @subscribe("/Bakery/Custom")
    def on_order(self, bread: str, extras: list) -> dict:
        rec = recipes.with_extras(recipes.recipe(bread), extras)
        return {"bread": bread, "with": sorted(rec["extras"])}


class Quotes(GraphBusNode):
    """What an order would hold, without making it."""

    @subscribe("/Bakery/Quote")
    def on_quote(self, bread: str, extras: list, loaves: int) -> dict:
        rec = recipes.with_extras(recipes.fresh_recipe("brioche" if bread == "sweet" else bread), extras)
        dry = rec["flour"] * loaves
        rec["salt"] *= loaves
        return {"flour": str(dry), "salt": str(rec["salt"]), "kinds": len(set(extras))}
