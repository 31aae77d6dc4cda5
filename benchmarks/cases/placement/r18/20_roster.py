# pure
"""Keeps nothing: the text of the event is read through a file object of its own."""
from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from datetime import datetime

from graphbus_core import GraphBusNode, subscribe

FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%y")
ALIASES = {"surname": "name", "last name": "name", "born": "birthday", "date of birth": "birthday", "group": "team"}
PHONE = re.compile(r"\D+")


def parse_day(text: str) -> str | None:
    for pattern in FORMATS:
        try:
            return datetime.strptime(text.strip(), pattern).date().isoformat()
        except ValueError:
            continue
    return None


def header(fields: list[str]) -> list[str]:
    names = [" ".join(f.lower().split()) for f in fields]
    return [ALIASES.get(name, name) for name in names]


def read(text: str) -> tuple[list[dict[str, str]], list[int]]:
    delimiter = max(";,\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    columns = header(next(reader, []))
    people, broken = [], []
    for fields in reader:
        if len(fields) != len(columns):
            broken.append(reader.line_num)
        else:
            people.append(dict(zip(columns, (f.strip() for f in fields))))
    return people, broken


class Roster(GraphBusNode):
    @subscribe("/Club/Upload")
    def on_upload(self, text: str) -> dict[str, object]:
        people, broken = read(text)
        teams: defaultdict[str, list[str]] = defaultdict(list)
        for person in people:
            day = parse_day(person.get("birthday", ""))
            phone = PHONE.sub("", person.get("phone", ""))
            teams[person.get("team") or "none"].append(
                f"{person.get('name', '?').upper()} {day or 'unknown'}{' tel ' + phone if phone else ''}")
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([team, len(members), " / ".join(sorted(members))] for team, members in sorted(teams.items()))
        return {"csv": out.getvalue(), "broken": broken}
