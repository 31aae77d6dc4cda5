import re

from graphbus_core import GraphBusNode, subscribe

LENGTHS = {"DE": 22, "FR": 27, "GB": 22, "CH": 21, "NL": 18, "AT": 20}
_SHAPE = re.compile(r"([A-Z]{2})(\d{2})([A-Z0-9]+)")
_known: dict[str, str] = {}


def verdict(iban: str) -> str:
    if iban not in _known:
        m = _SHAPE.fullmatch(iban)
        if m is None:
            _known[iban] = "malformed"
        elif LENGTHS.get(m[1], len(iban)) != len(iban):
            _known[iban] = "length"
        else:
            digits = "".join(str(int(c, 36)) for c in m[3] + m[1] + m[2])
            _known[iban] = "valid" if int(digits) % 97 == 1 else "checksum"
    return _known[iban]


class IbanCheck(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Bank/Iban/Entered")
    def check(self, iban: str) -> dict[str, str]:
        compact = re.sub(r"[\s-]", "", iban).upper()
        return {"iban": " ".join(re.findall(".{1,4}", compact)), "verdict": verdict(compact)}
