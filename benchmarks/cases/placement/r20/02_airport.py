# pure
"""Reads one line of the timetable and says when and where to board; everything comes from the line itself."""
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphbus_core import GraphBusNode, subscribe

LINE = re.compile(
    r"^(?P<carrier>[A-Z0-9]{2})(?P<number>\d{1,4})\s+(?P<dest>[A-Z]{3})\s+"
    r"(?P<when>\d{4}-\d\d-\d\dT\d\d:\d\d)\s+(?P<gate>[A-F]\d{1,2})(?:\s+(?P<aircraft>\w+))?$"
)
BOARDING = {"A388": 60, "B77W": 50, "A320": 35, "AT76": 20}
SCHENGEN = frozenset({"CDG", "FCO", "MAD", "VIE", "CPH"})


@dataclass(frozen=True)
class Flight:
    code: str
    dest: str
    departs: datetime
    gate: str
    aircraft: str

    @property
    def opens(self) -> datetime:
        return self.departs - timedelta(minutes=BOARDING.get(self.aircraft, 40))

    @property
    def bus(self) -> bool:
        return self.gate[0] in "EF" and self.aircraft == "AT76"


def parse(line: str) -> Flight:
    match = LINE.match(line.strip().upper())
    if match is None:
        raise ValueError(f"not a timetable line: {line!r}")
    part = match.groupdict()
    return Flight(
        code=f"{part['carrier']}{int(part['number']):04d}",
        dest=part["dest"],
        departs=datetime.strptime(part["when"], "%Y-%m-%dT%H:%M"),
        gate=part["gate"],
        aircraft=part["aircraft"] or "A320",
    )


class BoardingTimes(GraphBusNode):
    @subscribe("/Airport/Timetable")
    def on_line(self, line: str) -> dict[str, object]:
        try:
            flight = parse(line)
        except ValueError as exc:
            return {"ok": False, "reason": str(exc)}
        return {
            "ok": True,
            "flight": flight.code,
            "boarding": flight.opens.isoformat(timespec="minutes"),
            "last_call": (flight.departs - timedelta(minutes=15)).isoformat(timespec="minutes"),
            "passport": flight.dest not in SCHENGEN,
            "bus": flight.bus,
        }
