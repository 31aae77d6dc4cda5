import itertools
from enum import Enum
from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method

PRICE_CENT = {"tea": 450, "pot": 2900}


class Method(str, Enum):
    CARD = "card"
    TRANSFER = "transfer"


class Receipt(TypedDict):
    order_ref: str
    bank_ref: str
    cents: int


class Checkout(GraphBusNode):
    numbers = itertools.count(4001)

    @schema_method(
        input_schema={"basket": list, "method": str},
        output_schema={"order_ref": str, "bank_ref": str, "cents": int},
    )
    def finish(self, basket: list, method: str) -> Receipt:
        number = next(self.numbers)
        way = Method(method)
        suffix = f"{number * 97 % 9973:04d}"
        return Receipt(
            order_ref=f"WEB-{number}",
            bank_ref=f"{way.name[:2]}{suffix}",
            cents=sum(PRICE_CENT[item] for item in basket),
        )
