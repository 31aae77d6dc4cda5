from graphbus_core import GraphBusNode, subscribe

from defaults import DEFAULTS
from merging import flatten, overlay, unflatten


class SettingsNode(GraphBusNode):
    """Gives a user's full settings from what he changed."""

    @subscribe("/Settings")
    def on_user(self, user: str, changes: dict) -> dict:
        full = overlay(DEFAULTS, unflatten(changes))
        return {"user": user, "settings": flatten(full)}
