import timetable
from graphbus_core import GraphBusNode, subscribe
from timetable import DEPART, LINES, STOPS, parse_minutes, spell


class NextBus(GraphBusNode):
    @subscribe("/Stop/Next")
    def next_bus(self, line: str, now: str) -> str:
        wanted = timetable.parse_minutes(now)
        later = [t for t in map(timetable.parse_minutes, DEPART[line]) if t >= wanted]
        return spell(min(later)) if later else "no more today"


class DelayNotice(GraphBusNode):
    @subscribe("/Line/Delayed")
    def delayed(self, line: str, scheduled: str, seen: str) -> dict:
        late = parse_minutes(seen) - parse_minutes(scheduled)
        word = "early" if late < 0 else "on time" if late < 3 else "late"
        return {"line": line, "minutes": late, "word": word, "stops": [f"{s} +{max(late, 0)}" for s in LINES.get(line, ())]}


class FareBox(GraphBusNode):
    CENTS = (0, 180, 260, 330, 410)

    @subscribe("/Fare")
    def fare(self, start: str, end: str, rebate: bool) -> int:
        zones = abs(STOPS[start] - STOPS[end]) + 1
        cents = self.CENTS[zones]
        return cents // 2 if rebate else cents
