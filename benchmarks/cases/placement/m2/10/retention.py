from collections import deque
from datetime import date

from graphbus_core import GraphBusNode, subscribe

YEARS = {"civil": 10, "criminal": 30, "probate": 100}
shelf: deque[tuple[str, str]] = deque([("", "")] * 4, maxlen=4)


class Retention(GraphBusNode):
    """Closed files go by the transfer shelf to the county archive."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Court/Case/Closed")
    def close(self, case: str, kind: str, closed: str) -> dict[str, str]:
        day = date.fromisoformat(closed)
        last = day.replace(year=day.year + YEARS[kind], month=12, day=31).isoformat()
        pushed, until = shelf[0]
        shelf.append((case, last))
        return {"case": case, "until": last, "to_archive": f"{pushed} ({until})" if pushed else ""}
