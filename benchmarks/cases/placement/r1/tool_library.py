# stateful
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe


@lru_cache(maxsize=None)
def shelf(tool):
    return []


class ToolLibrary(GraphBusNode):
    @subscribe("/Tool/Wanted")
    def on_wanted(self, payload):
        here = shelf(payload["tool"])
        here.append(payload["who"])
        self.publish("/Tool/Lent", {"tool": payload["tool"], "place_in_line": len(here)})
