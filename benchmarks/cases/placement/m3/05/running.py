import datetime as dt
import re

from graphbus_core import GraphBusNode, subscribe

CLOCK = re.compile(r"^(?:(?P<h>\d+):)?(?P<m>\d{1,2}):(?P<s>\d{2})$")


class PaceCard(GraphBusNode):
    """Splits a finishing time into the pace per kilometre."""

    @subscribe("/Runner/Finished")
    def finished(self, clock: str, metres: int) -> str:
        m = CLOCK.match(clock)
        if not m or metres <= 0:
            return "unreadable"
        total = dt.timedelta(hours=int(m["h"] or 0), minutes=int(m["m"]), seconds=int(m["s"]))
        pace = total / (metres / 1000)
        minutes, seconds = divmod(int(pace.total_seconds()), 60)
        return f"{minutes}:{seconds:02d}/km"


class PersonalBest(GraphBusNode):
    _best = {}

    @subscribe("/Runner/Best")
    def best(self, runner: str, seconds: float) -> dict:
        old = type(self)._best.setdefault(runner, seconds)
        if seconds < old:
            type(self)._best[runner] = seconds
        return {"runner": runner, "new_best": seconds <= old}
