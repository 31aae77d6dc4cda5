from graphbus_core import GraphBusNode, schema_method

MOVES = [("bolt", +20), ("nut", +300), ("bolt", -8), ("nut", -30)]
RESERVED = {"bolt": 5}


class Stock(GraphBusNode):
    @schema_method(
        input_schema={"article": str},
        output_schema={"article": str, "on_hand": int, "reserved": int},
    )
    def level(self, article):
        here = sum(change for name, change in MOVES if name == article)
        return dict(article=article, on_hand=here, reserved=RESERVED.get(article, 0))
