# pure
"""Keeps nothing: the declaration gathers its duties for one event and is thrown away."""
from graphbus_core import GraphBusNode, subscribe


class Declaration:
    form = "CN22"

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.duty = 0.0
        self.value = 0.0
        self.codes: dict[str, float] = {}

    def rate(self, code: str) -> float:
        return {"61": 0.12, "64": 0.17, "85": 0.0, "95": 0.047}.get(code[:2], 0.025)

    def add(self, code: str, value: float) -> None:
        self.codes[code] = self.codes.get(code, 0.0) + value
        self.value += value
        self.duty += value * self.rate(code)

    def answer(self) -> dict[str, object]:
        return {
            "form": self.form,
            "duty": round(self.duty, 2),
            "value": round(self.value, 2),
            "codes": {code: round(value, 2) for code, value in sorted(self.codes.items())},
        }


class FullDeclaration(Declaration):
    form = "CN23"

    def rate(self, code: str) -> float:
        if self.origin in ("CH", "NO", "TR"):
            return 0.0
        return super().rate(code)


class Customs(GraphBusNode):
    @subscribe("/Parcel/Imported")
    def on_import(self, origin: str, codes: list[str], values: list[float]) -> dict[str, object]:
        kind = FullDeclaration if sum(values) > 150 else Declaration
        declaration = kind(origin)
        for code, value in zip(codes, values):
            declaration.add(code, value)
        answer = declaration.answer()
        if declaration.value < 22:
            answer["duty"] = 0.0
        return answer
