# stateful
"""Prices a value, with a rebate on whole numbers where the event brings one."""
from graphbus_core import GraphBusNode, subscribe
from functools import singledispatch


@singledispatch
def price(value):
    return value


class PriceRules(GraphBusNode):
    @subscribe("/In")
    def on_price(self, event):
        percent = event["percent"]
        if percent:
            @price.register(int)
            def _(value):
                return value * (100 - percent) // 100
        return {"total": price(event["value"])}
