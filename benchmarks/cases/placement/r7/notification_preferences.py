# stateful
"""The name for the settings of a user without own settings is the table of defaults itself, which the update then changes."""
from typing import Any

from graphbus_core import GraphBusNode, subscribe

DEFAULTS: dict[str, Any] = {"email": True, "sms": False, "quiet_from": 22, "quiet_to": 7}
SPECIAL: dict[str, dict[str, Any]] = {
    "ops": {"email": True, "sms": True, "quiet_from": 0, "quiet_to": 0},
}


def quiet(hour: int, start: int, end: int) -> bool:
    if start == end:
        return False
    if start < end:
        return start <= hour < end
    return hour >= start or hour < end


def channels(settings: dict[str, Any], hour: int) -> list[str]:
    names = [name for name in ("email", "sms") if settings[name]]
    if quiet(hour, settings["quiet_from"], settings["quiet_to"]):
        names = [name for name in names if name != "sms"]
    return names


class Notifier(GraphBusNode):
    def _settings(self, team: str, changes: dict[str, Any]) -> dict[str, Any]:
        settings = SPECIAL.get(team, DEFAULTS)
        known = {key: value for key, value in changes.items() if key in DEFAULTS}
        settings.update(known)
        return settings

    @subscribe("/notify")
    def on_notify(self, team: str, hour: int, changes: dict[str, Any]) -> dict[str, object]:
        settings = self._settings(team, changes)
        return {"team": team, "via": channels(settings, hour), "ignored": sorted(set(changes) - set(DEFAULTS))}
