from graphbus_core import GraphBusNode, schema_method

PRICES = {"comic": 7.0, "paper": 2.4}


class Kiosk(GraphBusNode):
    SYSTEM_PROMPT = "I sell papers."

    @schema_method(
        input_schema={"article": str, "pieces": int},
        output_schema={"article": str, "pieces": int, "paid": float},
    )
    def sell(self, article, pieces):
        price = PRICES[article]
        return {"article": article, "pieces": pieces, "paid": round(price * pieces, 2)}
