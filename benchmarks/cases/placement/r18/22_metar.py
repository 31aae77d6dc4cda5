# pure
"""Keeps nothing that is read later: the fields of the decoder are emptied before each report."""
from __future__ import annotations

import re

from graphbus_core import GraphBusNode, subscribe

WIND = re.compile(r"^(\d{3}|VRB)(\d{2,3})(?:G(\d{2,3}))?(KT|MPS)$")
CLOUD = re.compile(r"^(FEW|SCT|BKN|OVC)(\d{3})(CB|TCU)?$")
TEMPERATURE = re.compile(r"^(M?\d{2})/(M?\d{2})$")
PRESSURE = re.compile(r"^([QA])(\d{4})$")
COMPASS = "N NE E SE S SW W NW".split()
OKTAS = {"FEW": 2, "SCT": 4, "BKN": 7, "OVC": 8}


def signed(text: str) -> int:
    return -int(text[1:]) if text.startswith("M") else int(text)


class MetarDecoder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._fields: dict[str, object] = {}
        self._clouds: list[tuple[int, int]] = []

    def _token(self, token: str) -> bool:
        if m := WIND.match(token):
            knots = int(m[2]) * (1.944 if m[4] == "MPS" else 1)
            self._fields["wind"] = "calm" if not knots else (
                f"{'variable' if m[1] == 'VRB' else COMPASS[round(int(m[1]) / 45) % 8]} {knots:.0f} kt")
            if m[3]:
                self._fields["gust"] = int(m[3])
        elif m := CLOUD.match(token):
            self._clouds.append((int(m[2]) * 100, OKTAS[m[1]]))
        elif m := TEMPERATURE.match(token):
            self._fields["temperature"], self._fields["dew_point"] = signed(m[1]), signed(m[2])
        elif m := PRESSURE.match(token):
            self._fields["hpa"] = int(m[2]) if m[1] == "Q" else round(int(m[2]) / 100 * 33.8639)
        else:
            return False
        return True

    @subscribe("/Airport/Metar")
    def on_report(self, text: str) -> dict[str, object]:
        self._fields = {}
        self._clouds.clear()
        station, *tokens = text.removeprefix("METAR ").split()
        unknown = [token for token in tokens if not self._token(token)]
        ceiling = min((height for height, okta in self._clouds if okta >= 7), default=None)
        return {
            "station": station,
            **self._fields,
            "ceiling": ceiling,
            "rules": "IFR" if ceiling is not None and ceiling < 1000 else "VFR",
            "unknown": unknown,
        }
