# pure
"""Keeps nothing: the parser works on a local dictionary; the patterns are constants."""
import re

from graphbus_core import GraphBusNode, subscribe

FIELD = re.compile(r"^\s*(?P<label>[A-Za-z ]+?)\s*[:=]\s*(?P<value>.*?)\s*$")
ALIASES = {"policy no": "policy", "policy number": "policy", "date of loss": "loss_date", "damage": "amount"}
REQUIRED = ("policy", "loss_date", "amount")


def to_cents(text: str) -> int | None:
    cleaned = text.replace("EUR", "").replace(".", "").replace(",", ".").strip()
    try:
        return round(float(cleaned) * 100)
    except ValueError:
        return None


class ClaimFormParser(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._converters = {"amount": to_cents, "policy": str.upper}

    def _convert(self, key: str, value: str) -> object:
        converter = self._converters.get(key)
        return converter(value) if converter else value

    @subscribe("/Claims/FormText")
    def parse(self, text: str) -> dict[str, object]:
        fields: dict[str, object] = {}
        extra: list[str] = []
        for line in text.splitlines():
            match = FIELD.match(line)
            if match is None:
                if line.strip():
                    extra.append(line.strip())
                continue
            key = match["label"].lower()
            key = ALIASES.get(key, key.replace(" ", "_"))
            fields.setdefault(key, self._convert(key, match["value"]))
        missing = [name for name in REQUIRED if fields.get(name) in (None, "")]
        return {"fields": fields, "missing": missing, "remarks": extra}
