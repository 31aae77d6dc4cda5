# pure
"""Keeps nothing: the table is made from the results that the event brings."""
from __future__ import annotations

import re
from dataclasses import dataclass
from operator import attrgetter

from graphbus_core import GraphBusNode, subscribe

RESULT = re.compile(r"^\s*(?P<home>.+?)\s+(?P<hg>\d+)\s*[-:]\s*(?P<ag>\d+)\s+(?P<away>.+?)\s*$")


@dataclass
class Row:
    team: str
    played: int = 0
    won: int = 0
    drawn: int = 0
    scored: int = 0
    conceded: int = 0
    deducted: int = 0

    def book(self, scored: int, conceded: int) -> None:
        self.played += 1
        self.won += scored > conceded
        self.drawn += scored == conceded
        self.scored += scored
        self.conceded += conceded

    @property
    def points(self) -> int:
        return 3 * self.won + self.drawn - self.deducted

    @property
    def difference(self) -> int:
        return self.scored - self.conceded


class Table(dict[str, Row]):
    def __missing__(self, team: str) -> Row:
        self[team] = row = Row(team)
        return row

    def ranked(self) -> list[Row]:
        rows = sorted(self.values(), key=attrgetter("team"))
        rows.sort(key=attrgetter("points", "difference", "scored"), reverse=True)
        return rows


class League(GraphBusNode):
    line = "{place:>2} {row.team:<12}{row.played:>3}{row.difference:>+4}{row.points:>4}"

    @subscribe("/Sport/Season")
    def on_season(self, results: list[str], deductions: dict[str, int]) -> dict[str, object]:
        table, ignored = Table(), []
        for text in results:
            if not (game := RESULT.match(text)):
                ignored.append(text)
                continue
            home, away = int(game["hg"]), int(game["ag"])
            table[game["home"]].book(home, away)
            table[game["away"]].book(away, home)
        for team, points in deductions.items():
            table[team].deducted += points
        lines = [self.line.format(place=place, row=row) for place, row in enumerate(table.ranked(), start=1)]
        return {"table": lines, "ignored": ignored}
