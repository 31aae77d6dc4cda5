"""Offers of a small bank."""
import decimal
from functools import cached_property

from graphbus_core import GraphBusNode, depends_on, schema_method

D = decimal.Decimal


class LoanBook(GraphBusNode):
    @cached_property
    def table(self):
        return {
            "car": {"rate": D("4.90"), "months": 48, "fee": D("150")},
            "roof": {"rate": D("3.75"), "months": 120, "fee": D("0")},
        }

    @schema_method(
        input_schema={"purpose": str},
        output_schema={"purpose": str, "rate": D, "months": int},
    )
    def offer(self, purpose):
        row = self.table[purpose]
        return {"purpose": purpose, "rate": row["rate"], "months": row["months"]}

    def instalment(self, purpose, amount):
        row = self.table[purpose]
        month = row["rate"] / 1200
        factor = month / (1 - (1 + month) ** -row["months"])
        return ((amount + row["fee"]) * factor).quantize(D("0.01"))


class Advert(GraphBusNode):
    @depends_on("LoanBook.offer")
    @schema_method(
        input_schema={"purpose": str, "apr": D},
        output_schema={"text": str},
    )
    def compose(self, purpose, apr):
        return {"text": f"Your {purpose}: {apr}% APR representative"}
