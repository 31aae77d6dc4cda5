# stateful
"""The rejection is one exception object of the module, and each use adds its notes to those it already carries."""
from graphbus_core import GraphBusNode, subscribe


class Rejected(ValueError):
    pass


BAD_FIELD = Rejected("payload does not match the schema")
TOO_BIG = Rejected("payload is too big")

FIELDS = {"id": str, "lat": float, "lon": float}


def reject(problem: Rejected, note: str) -> None:
    problem.add_note(note)
    raise problem


def validate(payload: dict[str, object]) -> None:
    if len(payload) > 8:
        reject(TOO_BIG, f"{len(payload)} fields")
    for field, kind in FIELDS.items():
        if field not in payload:
            reject(BAD_FIELD, f"{field}: missing")
        if not isinstance(payload[field], kind):
            reject(BAD_FIELD, f"{field}: not a {kind.__name__}")


class PayloadGuard(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/tracker/payload")
    def on_payload(self, payload: dict[str, object]) -> dict[str, object]:
        try:
            validate(payload)
        except Rejected as problem:
            return {"ok": False, "why": [str(problem), *problem.__notes__]}
        return {"ok": True, "id": payload["id"]}
