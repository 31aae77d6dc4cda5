from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, depends_on, schema_method

RATES = {"ida": Decimal("24.00"), "bo": Decimal("18.60")}


class Payroll(GraphBusNode):
    @depends_on("TimeClock.day")
    @schema_method(input_schema={"who": str, "paid_minutes": int}, output_schema={"wage": str})
    def wage(self, who, paid_minutes):
        amount = RATES[who] * paid_minutes / 60
        return {"wage": str(amount.quantize(Decimal("0.01"), ROUND_HALF_UP))}
