# stateful
"""Remarks of a transfer share the one list that is the default of a named tuple's field."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

ISOLATION = frozenset({"C3", "ICU"})
TELEMETRY = frozenset({"ICU", "CARD"})


class Transfer(NamedTuple):
    patient: str
    origin: str
    target: str
    remarks: list[str] = []

    def label(self) -> str:
        return f"{self.patient}: {self.origin} > {self.target}"


def annotate(transfer: Transfer) -> Transfer:
    if transfer.target in ISOLATION:
        transfer.remarks.append("gown and gloves")
    if transfer.target in TELEMETRY:
        transfer.remarks.append("bring telemetry pack")
    if transfer.origin == "ICU":
        transfer.remarks.append("nurse escort")
    return transfer


class WardTransfers(GraphBusNode):
    @subscribe("/Ward/Transfer")
    def on_transfer(self, patient: str, origin: str, target: str) -> dict[str, str]:
        transfer = annotate(Transfer(patient.strip().title(), origin.upper(), target.upper()))
        return {"label": transfer.label(), "remarks": "; ".join(transfer.remarks) or "none"}
