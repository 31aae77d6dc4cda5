import re

from graphbus_core import GraphBusNode, subscribe

TRUNK = {"49": "0", "44": "0", "33": "0", "39": "", "1": "1"}
KEYPAD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")


class NumberFormat(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict[tuple[str, str], dict[str, object]] = {}

    def _normalise(self, text: str, country: str) -> dict[str, object]:
        digits = re.sub(r"\(0\)|[^\d+]", "", text.upper().translate(KEYPAD))
        if digits.startswith("00"):
            digits = "+" + digits[2:]
        if not digits.startswith("+"):
            digits = "+" + country + digits.removeprefix(TRUNK.get(country, "0"))
        return {"e164": digits, "ok": 8 <= len(digits) <= 16}

    @subscribe("/Telco/Number/Typed")
    def on_number(self, text: str, country: str) -> dict[str, object]:
        key = text, country
        if key not in self._memo:
            if len(self._memo) > 100:
                self._memo.clear()
            self._memo[key] = self._normalise(text, country)
        return dict(self._memo[key])
