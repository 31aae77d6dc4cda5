# stateful
"""Keeps every address in the start value, as reduce with operator.iadd extends it in place."""
import operator
from functools import reduce

from graphbus_core import GraphBusNode, subscribe

_GROUPS = {
    "ops": ["ann@x", "bob@x"],
    "dev": ["carl@x"],
    "all": ["ann@x", "bob@x", "carl@x", "dora@x"],
}
_ALWAYS = ["audit@x"]


def members(names: list[str]) -> list[str]:
    lists = (_GROUPS.get(name, []) for name in names)
    return reduce(operator.iadd, lists, _ALWAYS)


class Recipients(GraphBusNode):
    @subscribe("/Alert/Raised")
    def on_event(self, alert: str, groups: list[str]) -> dict[str, object]:
        return {"alert": alert, "to": list(dict.fromkeys(members(groups)))}
