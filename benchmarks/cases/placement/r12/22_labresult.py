# pure
"""The message of the event is cut into segments that live in a fresh dictionary."""
from collections.abc import Iterator
from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Observation(TypedDict):
    code: str
    value: float
    unit: str
    flag: NotRequired[str]


class Report(TypedDict):
    patient: str
    observations: list[Observation]
    rejected: list[str]


RANGES = {"GLU": (70.0, 110.0), "HB": (12.0, 17.5), "K": (3.5, 5.1), "CRP": (0.0, 5.0)}


class Malformed(ValueError):
    """A segment that cannot be read."""


def segments(message: str) -> Iterator[tuple[str, list[str]]]:
    for raw in message.replace("\r", "\n").split("\n"):
        if raw.strip():
            kind, *fields = raw.strip().split("|")
            yield kind.upper(), fields


def observation(fields: list[str]) -> Observation:
    try:
        code, value, unit = fields[:3]
        number = float(value)
    except ValueError as error:
        raise Malformed("|".join(fields)) from error
    result: Observation = {"code": code.upper(), "value": number, "unit": unit}
    low, high = RANGES.get(result["code"], (float("-inf"), float("inf")))
    if number < low:
        result["flag"] = "L"
    elif number > high:
        result["flag"] = "H"
    return result


class LabInbox(GraphBusNode):
    @subscribe("/Lab/Message")
    def on_message(self, message: str) -> Report:
        report: Report = {"patient": "", "observations": [], "rejected": []}
        for kind, fields in segments(message):
            match kind:
                case "PID":
                    report["patient"] = fields[0] if fields else ""
                case "OBX":
                    try:
                        report["observations"].append(observation(fields))
                    except Malformed as bad:
                        report["rejected"].append(str(bad))
                case _:
                    continue
        return report
