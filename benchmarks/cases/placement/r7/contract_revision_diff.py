# pure
"""Compares the two texts in the event; the matcher and its opcodes belong to one call."""
import difflib
import re
from collections import Counter
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

CLAUSE = re.compile(r"^\s*(\d+(?:\.\d+)*)\s+(.*\S)\s*$")
SENSITIVE = {"liability", "termination", "penalty", "warranty"}


@dataclass
class Report:
    changes: Counter[str] = field(default_factory=Counter)
    clauses: list[str] = field(default_factory=list)
    sensitive: set[str] = field(default_factory=set)

    def add(self, kind: str, lines: list[str]) -> None:
        self.changes[kind] += len(lines)
        for line in lines:
            if match := CLAUSE.match(line):
                self.clauses.append(match[1])
            self.sensitive |= SENSITIVE & set(re.findall(r"[a-z]+", line.lower()))


def lines_of(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def compare(old: list[str], new: list[str]) -> tuple[float, Report]:
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    report = Report()
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            continue
        if kind in ("delete", "replace"):
            report.add("removed", old[i1:i2])
        if kind in ("insert", "replace"):
            report.add("added", new[j1:j2])
    return matcher.ratio(), report


class ContractReview(GraphBusNode):
    @subscribe("/contracts/revised")
    def on_revision(self, contract: str, before: str, after: str) -> dict[str, object]:
        ratio, report = compare(lines_of(before), lines_of(after))
        return {
            "contract": contract,
            "similarity": round(ratio, 3),
            "changes": dict(sorted(report.changes.items())),
            "clauses": sorted(set(report.clauses)),
            "lawyer": bool(report.sensitive) or ratio < 0.5,
        }
