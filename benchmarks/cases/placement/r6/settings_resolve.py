# pure
"""What an event sets goes into a child of the chain that is thrown away with it, never into the maps below."""
from collections import ChainMap
from typing import Any

from graphbus_core import GraphBusNode, subscribe

BUILT_IN = {"theme": "light", "rows": 25, "beta": False, "export": "csv"}
TENANTS = {"acme": {"theme": "dark", "rows": 50}, "globex": {"export": "xlsx"}}
ROLES = {"admin": {"beta": True}, "viewer": {"export": None}}


def chain(*names: str) -> ChainMap[str, Any]:
    settings: ChainMap[str, Any] = ChainMap(BUILT_IN)
    for table, name in zip((TENANTS, ROLES), names):
        settings = settings.new_child(table.get(name, {}))
    return settings


class SettingsResolve(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/session/open")
    def on_open(self, tenant: str, role: str, choices: dict[str, Any]) -> dict[str, Any]:
        settings = chain(tenant, role).new_child()
        unknown = []
        for name, value in choices.items():
            if name not in BUILT_IN:
                unknown.append(name)
            elif value == "reset":
                settings.pop(name, None)
            else:
                settings[name] = value
        settings["rows"] = max(10, min(200, settings["rows"]))
        if not settings["beta"] and settings["export"] == "xlsx":
            settings["export"] = "csv"
        return {"settings": {name: settings[name] for name in BUILT_IN}, "unknown": unknown}
