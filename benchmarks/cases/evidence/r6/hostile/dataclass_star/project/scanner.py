from graphbus_core import GraphBusNode, schema_method

ARTICLES = {"4006381333931": ("PEN-1", 1.2), "4006381333948": ("PEN-2", 1.4)}


def valid(code):
    """The check digit of EAN-13: weights of one and three."""
    if len(code) != 13 or not code.isdigit():
        return False
    digits = [int(c) for c in code]
    return sum(d * (3 if i % 2 else 1) for i, d in enumerate(digits)) % 10 == 0


class Scanner(GraphBusNode):
    @schema_method(input_schema={"code": str}, output_schema={"sku": str, "price": float, "code": str})
    def read(self, code):
        if not valid(code):
            raise ValueError(f"misread: {code}")
        sku, price = ARTICLES[code]
        return {"sku": sku, "price": price, "code": code}
