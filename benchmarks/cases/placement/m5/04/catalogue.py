import csv
import io

from graphbus_core import GraphBusNode, subscribe

from angles import parse, parse_exactly

DATA = """name,ra,dec,mag
Vega,18:36:56.3,+38:47:01.2,0.03
Altair,19:50:46.9,+08:52:05.9,0.76
Deneb,20:41:25.9,+45:16:49.2,1.25
"""
STARS = {row["name"]: row for row in csv.DictReader(io.StringIO(DATA))}


class StarFinder(GraphBusNode):
    @subscribe("/Sky/Find")
    def on_find(self, name: str) -> dict:
        star = STARS[name]
        return {"ra": str(parse(star["ra"]) * 15), "dec": str(parse(star["dec"]))}


class StarCards(GraphBusNode):
    """Index cards with a precision the caller asks for."""

    @subscribe("/Sky/Card")
    def on_card(self, name: str, digits: int) -> str:
        star = STARS[name]
        return f"{name:<8}|{parse_exactly(star['ra'], digits)}|{parse_exactly(star['dec'], digits)}|{star['mag']}"
