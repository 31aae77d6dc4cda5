import textwrap

from graphbus_core import GraphBusNode, subscribe

from lab.units import to_si


class SegmentWriter(GraphBusNode):
    """Writes the OBX segment the ward system expects, comment wrapped in NTE lines."""

    WIDTH = 40

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []

    def _put(self, *fields: str) -> None:
        escaped = (f.replace("\\", "\\E\\").replace("|", "\\F\\").replace("^", "\\S\\") for f in fields)
        self._lines.append("|".join(escaped))

    @subscribe("/Lab/Result/Released")
    def on_release(self, analyte: str, value: str, unit: str, comment: str) -> dict[str, list[str]]:
        self._lines = []
        si, si_unit = to_si(analyte, value, unit)
        self._put("OBX", "1", "NM", analyte, "", si, si_unit)
        for n, part in enumerate(textwrap.wrap(comment, self.WIDTH), start=1):
            self._put("NTE", str(n), "L", part)
        return {"segments": self._lines}

    @subscribe("/Lab/Result/Convert")
    def on_convert(self, analyte: str, value: str, unit: str) -> dict[str, str]:
        number, target = to_si(analyte, value, unit)
        return {"value": number, "unit": target}
