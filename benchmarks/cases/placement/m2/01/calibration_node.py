from graphbus_core import GraphBusNode, subscribe

from lab import ranges


class ReagentLot(GraphBusNode):
    """A new reagent lot shifts the measuring system by a known slope."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/Reagent/LotChanged")
    def on_lot(self, analyte: str, lot: str, slope: float) -> dict:
        new = ranges.after_lot_change(analyte, slope)
        return {"analyte": analyte, "lot": lot.strip().upper(), "low": new.low, "high": new.high}
