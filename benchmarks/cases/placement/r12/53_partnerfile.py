# stateful
"""Registers the partner's dialect with the csv module, and rows are read with it only once the format has been announced."""
import csv
from typing import Iterable, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Place(TypedDict):
    name: str
    lat: str
    lon: str
    extra: int


COLUMNS = ("name", "lat", "lon")


def dialect_name(partner: str) -> str:
    return f"places-{partner.strip().lower()}"


def dialect_for(partner: str) -> str:
    name = dialect_name(partner)
    return name if name in csv.list_dialects() else "excel"


def records(lines: Iterable[str], dialect: str) -> list[Place]:
    result: list[Place] = []
    for row in csv.reader(lines, dialect):
        padded = [cell.strip() for cell in row] + [""] * len(COLUMNS)
        name, lat, lon = padded[:3]
        result.append({"name": name, "lat": lat, "lon": lon, "extra": max(0, len(row) - 3)})
    return result


class PlaceImport(GraphBusNode):
    @subscribe("/Partner/Format")
    def on_format(self, partner: str, delimiter: str, quote: str) -> dict[str, str]:
        csv.register_dialect(
            dialect_name(partner),
            delimiter=(delimiter or ",")[0],
            quotechar=(quote or '"')[0],
            skipinitialspace=True,
        )
        return {"partner": partner, "status": "format accepted"}

    @subscribe("/Partner/Places")
    def on_places(self, partner: str, lines: list[str]) -> dict[str, object]:
        places = records(lines, dialect_for(partner))
        complete = [p for p in places if all(p[c] for c in COLUMNS)]  # type: ignore[literal-required]
        return {"partner": partner, "places": places, "complete": len(complete)}
