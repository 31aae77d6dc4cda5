# stateful
"""The incremental UTF-8 decoder keeps the unfinished bytes of one telegram for the next."""
import codecs
import re

from graphbus_core import GraphBusNode, subscribe

FIELD = re.compile(r"(?P<key>[^=;]+)=(?P<value>[^;]*)")


class TelegramReader:
    """Turns the raw bytes of a meter telegram into readable fields."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.decode = codecs.getincrementaldecoder(encoding)(errors="replace").decode

    def fields(self, payload: bytes) -> dict[str, str]:
        text = self.decode(payload)
        return {m["key"].strip(): m["value"].strip() for m in FIELD.finditer(text)}


class MeterText(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._reader = TelegramReader()

    @subscribe("/Energy/Telegram")
    def on_telegram(self, payload_hex: str) -> dict[str, object]:
        try:
            payload = bytes.fromhex(payload_hex)
        except ValueError:
            return {"error": "not hexadecimal"}
        fields = self._reader.fields(payload)
        reading = fields.get("kwh", "")
        return {
            "fields": fields,
            "kwh": float(reading) if re.fullmatch(r"\d+(\.\d+)?", reading) else None,
        }
