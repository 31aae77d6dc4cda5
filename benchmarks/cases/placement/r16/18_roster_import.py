# pure
"""Keeps nothing: the rows and the complaints live as long as the event."""
import csv
import io
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, fields
from datetime import date

from graphbus_core import GraphBusNode, subscribe


class Strict(csv.excel):
    delimiter = ";"
    strict = True
    skipinitialspace = True


@dataclass(order=True)
class Member:
    name: str
    email: str
    joined: date

    @classmethod
    def parse(cls, row: dict[str, str | None]) -> "Member":
        missing = [f.name for f in fields(cls) if not (row.get(f.name) or "").strip()]
        if missing:
            raise ValueError("missing " + ", ".join(missing))
        if not re.fullmatch(r"[^@\s]+@[^@\s]+\.\w+", row["email"]):
            raise ValueError("bad email")
        return cls(" ".join(row["name"].split()), row["email"].lower(), date.fromisoformat(row["joined"]))


class Report:
    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.members: list[Member] = []
        self.problems: defaultdict[str, list[int]] = defaultdict(list)

    def take(self, number: int, row: dict[str, str | None]) -> None:
        try:
            member = Member.parse(row)
        except ValueError as problem:
            self.problems[str(problem)].append(number)
            return
        if member.email in self.seen:
            self.problems["listed twice"].append(number)
            return
        self.seen.add(member.email)
        self.members.append(member)


class RosterImport(GraphBusNode):
    @subscribe("/Club/Roster")
    def on_roster(self, text: str) -> dict[str, object]:
        report = Report()
        for number, row in enumerate(csv.DictReader(io.StringIO(text), dialect=Strict), 2):
            report.take(number, row)
        years = Counter(member.joined.year for member in report.members)
        return {
            "members": [member.name for member in sorted(report.members)],
            "years": {str(year): count for year, count in sorted(years.items())},
            "problems": dict(report.problems),
        }
