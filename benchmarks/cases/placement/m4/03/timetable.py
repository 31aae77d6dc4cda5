from __future__ import annotations

import datetime
from bisect import bisect_left

from graphbus_core import GraphBusNode, subscribe

from network import first_platform
from running import empty_times

DEPARTURES = {
    "NBG": sorted(h * 60 + m for h in range(5, 24) for m in (3, 33)),
    "FUE": sorted(h * 60 + m for h in range(5, 24) for m in (11, 41)),
    "ERL": sorted(h * 60 + m for h in range(5, 23) for m in (24, 54)),
}


class NextTrain(GraphBusNode):
    @subscribe("/Passenger/Ask")
    def on_ask(self, origin: str, target: str, at: str) -> dict:
        clock = datetime.time.fromisoformat(at)
        minute = clock.hour * 60 + clock.minute
        board = DEPARTURES.get(origin, [])
        i = bisect_left(board, minute)
        if i == len(board):
            return {"train": None}
        ride = empty_times.minutes("RE", origin, target)
        arrive = board[i] + int(ride)
        return {
            "leaves": "%02d:%02d" % divmod(board[i], 60),
            "arrives": "%02d:%02d" % divmod(arrive, 60),
            "platform": first_platform(origin),
        }
