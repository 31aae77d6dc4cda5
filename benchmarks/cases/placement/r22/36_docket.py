# stateful
"""Case numbers come from counters held in a defaultdict."""
import re
from collections import defaultdict
from itertools import count

from graphbus_core import GraphBusNode, subscribe

CODES = {"civil": "CV", "family": "FM", "criminal": "CR"}
PARTIES = re.compile(r"^(?P<first>.+?)\s+v\.\s+(?P<second>.+)$")

_serials = defaultdict(lambda: count(1))


def caption(parties: str) -> str:
    match = PARTIES.match(parties)
    if match is None:
        return parties.upper()
    return f"{match['first'].upper()} versus {match['second'].upper()}"


def case_number(division: str, year: int) -> str:
    serial = next(_serials[division, year])
    return f"{year % 100:02d}-{CODES[division]}-{serial:05d}"


class Clerk(GraphBusNode):
    @subscribe("/Filing")
    def on_filing(self, division: str, year: int, parties: str) -> dict[str, str]:
        return {"case": case_number(division, year), "caption": caption(parties)}
