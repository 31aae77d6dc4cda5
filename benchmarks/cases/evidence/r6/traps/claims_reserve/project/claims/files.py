from __future__ import annotations

import re
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, schema_method

NUMBER = re.compile(r"(?P<line>[A-Z])-(?P<serial>\d+)")


@dataclass
class Claim:
    number: str
    estimate: float
    notes: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        found = NUMBER.fullmatch(self.number)
        if found is None:
            raise ValueError(self.number)
        return {"M": "motor", "H": "house", "L": "liability"}[found["line"]]


class ClaimFile(GraphBusNode):
    SYSTEM_PROMPT = "I keep the files of the adjusters."

    def __init__(self):
        super().__init__()
        self.claims = {
            claim.number: claim
            for claim in (
                Claim("M-1", 2400.0, ["bumper"]),
                Claim("M-2", 900.0),
                Claim("H-3", 17000.0, ["water", "floor"]),
            )
        }

    @schema_method(
        input_schema={"number": str},
        output_schema={"number": str, "line": str, "estimate": float},
    )
    def assess(self, number):
        claim = self.claims[number]
        return {"number": number, "line": claim.line, "estimate": claim.estimate}

    def of_line(self, line):
        return [n for n, claim in self.claims.items() if claim.line == line]
