from graphbus_core import GraphBusNode, subscribe

from calibration import CURVES, Quantity

CONVERSIONS = {
    ("C", "F"): lambda v: v * 9 / 5 + 32,
    ("C", "K"): lambda v: v + 273.15,
    ("hPa", "mmHg"): lambda v: v * 0.750062,
}


class ConvertNode(GraphBusNode):
    @subscribe("/Convert")
    def on_reading(self, kind: str, raw: float, unit: str) -> dict:
        try:
            quantity = Quantity(kind)
        except ValueError:
            return {"error": f"unknown quantity {kind!r}"}
        curve = CURVES[quantity]
        value, shown = curve(raw), curve.unit
        convert = CONVERSIONS.get((curve.unit, unit))
        if convert is not None:
            value, shown = convert(value), unit
        return {"value": round(value, 3), "unit": shown, "text": f"{quantity.value}: {value:.1f} {shown}"}
