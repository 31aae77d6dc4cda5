# pure
"""Keeps nothing: each message gets a parser of its own, whose current segment ends with it."""
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Observation:
    code: str
    value: str
    notes: list[str] = field(default_factory=list)


@dataclass
class MessageParser:
    separator: str = "|"
    patient: str = "unknown"
    observations: list[Observation] = field(default_factory=list)
    current: Observation | None = None
    skipped: int = 0

    def feed(self, line: str) -> None:
        kind, *rest = line.split(self.separator)
        match kind, rest:
            case "MSH", [separator, *_] if separator:
                self.separator = separator[0]
            case "PID", [number, *_]:
                self.patient = number or self.patient
            case "OBX", [code, value, *_]:
                self.current = Observation(code, value)
                self.observations.append(self.current)
            case "NTE", [text, *_] if self.current is not None:
                self.current.notes.append(text)
            case _:
                self.skipped += 1


class SegmentNode(GraphBusNode):
    parser_type = MessageParser

    @subscribe("/Interface/Message")
    def on_message(self, text: str) -> dict[str, object]:
        parser = self.parser_type()
        for line in text.splitlines():
            parser.feed(line)
        return {
            "patient": parser.patient,
            "results": {item.code: item.value for item in parser.observations},
            "notes": sum(len(item.notes) for item in parser.observations),
            "skipped": parser.skipped,
        }
