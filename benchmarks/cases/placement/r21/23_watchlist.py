# stateful
"""Keeps the titles in a list bound by partial, together with the functions that put in and take out."""
from functools import partial
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Shelf = dict[str, list[str]]


def put(shelf: Shelf, profile: str, title: str) -> str:
    titles = shelf.setdefault(profile, [])
    if title in titles:
        titles.remove(title)
    titles.insert(0, title)
    return "added"


def take(shelf: Shelf, profile: str, title: str) -> str:
    titles = shelf.get(profile, [])
    if title not in titles:
        return "absent"
    titles.remove(title)
    return "removed"


def toggle(first: Callable[[str, str], str], otherwise: Callable[[str, str], str], profile: str, title: str) -> str:
    outcome = first(profile, title)
    return otherwise(profile, title) if outcome == "absent" else outcome


def make_commands() -> dict[str, Callable[[str, str], str]]:
    shelf: Shelf = {}
    commands = {"put": partial(put, shelf), "take": partial(take, shelf)}
    commands["toggle"] = partial(toggle, commands["take"], commands["put"])
    return commands


class Watchlist(GraphBusNode):
    commands = make_commands()

    @subscribe("/Profile/Watchlist")
    def on_command(self, profile: str, title: str, action: str) -> dict[str, str]:
        command = self.commands.get(action)
        if command is None:
            return {"profile": profile, "outcome": f"no such action: {action}"}
        return {"profile": profile, "outcome": command(profile, title)}
