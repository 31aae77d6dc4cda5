# stateful
"""Ranks the fighters of a match day; the table of points is a default argument and outlives the call."""
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

POINTS = {"ippon": 10, "wazaari": 7, "yuko": 5, "hantei": 3}


@dataclass(order=True)
class Row:
    sort_key: tuple[int, str] = field(init=False, repr=False)
    name: str = field(compare=False)
    points: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        self.sort_key = (-self.points, self.name)


def split_result(text: str) -> tuple[str, str, str]:
    """'Mori > Sato ippon' -> winner, loser, way of winning."""
    winner, _, rest = text.partition(">")
    loser, _, way = rest.strip().rpartition(" ")
    return winner.strip(), loser.strip(), way.strip().lower()


def tally(results: list[str], points: dict[str, int] = {}) -> list[Row]:
    for winner, loser, way in map(split_result, results):
        points[winner] = points.get(winner, 0) + POINTS.get(way, 1)
        points.setdefault(loser, 0)
    return sorted(Row(name, score) for name, score in points.items())


def medals(rows: list[Row]) -> dict[str, str]:
    colours = ("gold", "silver", "bronze")
    return {colour: row.name for colour, row in zip(colours, rows)}


class MatchDay(GraphBusNode):
    @subscribe("/Judo/Results")
    def on_results(self, pool: str, results: list[str]) -> dict[str, object]:
        rows = tally([r for r in results if ">" in r])
        return {
            "pool": pool.upper(),
            "medals": medals(rows),
            "table": [f"{i:>2}. {row.name:<10}{row.points:>3}" for i, row in enumerate(rows, 1)],
        }
