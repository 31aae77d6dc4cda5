# stateful
"""The precision asked for by one sample stays in the decimal context of the thread for samples which ask for none."""
import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

FACTORS = {
    "mg/dl": Decimal("0.0555"),
    "mmol/l": Decimal(1),
    "g/l": Decimal("5.55"),
}


class UnknownUnit(ValueError):
    pass


def convert(value: str, unit: str, digits: int) -> Decimal:
    if digits > 0:
        decimal.getcontext().prec = digits
    try:
        factor = FACTORS[unit]
    except KeyError:
        raise UnknownUnit(unit) from None
    return Decimal(value) * factor / Decimal(3)


class LabResults(GraphBusNode):
    """Converts glucose samples to a third of mmol/l for the plot."""

    @subscribe("/lab/sample")
    def on_sample(self, sample: str, value: str, unit: str, digits: int) -> dict[str, str]:
        try:
            result = convert(value, unit.strip().lower(), digits)
        except (UnknownUnit, decimal.InvalidOperation) as problem:
            return {"sample": sample, "error": type(problem).__name__}
        return {"sample": sample, "value": format(result, "f")}
