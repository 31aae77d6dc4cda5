# stateful
"""Keeps which hints were given: the interpreter shows a warning once a place and swallows it after that."""
import logging
import warnings
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

RENAMED = {"colour": "color", "centre": "center", "licence": "license"}


class Collect(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self.lines.append(text.partition("FutureWarning: ")[2].splitlines()[0])


@dataclass
class Translated:
    fields: dict[str, str] = field(default_factory=dict)
    hints: list[str] = field(default_factory=list)


def modern_name(name: str) -> str:
    new = RENAMED.get(name)
    if new is None:
        return name
    warnings.warn(f"field {name} is now called {new}", FutureWarning)
    return new


def translate(raw: dict[str, str]) -> Translated:
    collect = Collect()
    logger = logging.getLogger("py.warnings")
    logger.addHandler(collect)
    try:
        fields = {modern_name(key): value for key, value in raw.items()}
    finally:
        logger.removeHandler(collect)
    return Translated(fields, collect.lines)


class ApiRequests(GraphBusNode):
    """Accepts the old spelling of fields and tells the client about it."""

    def __init__(self) -> None:
        super().__init__()
        logging.captureWarnings(True)

    @subscribe("/Api/Request")
    def on_request(self, client: str, body: dict[str, str]) -> dict[str, object]:
        result = translate(body)
        return {"client": client, "body": result.fields, "hints": result.hints}
