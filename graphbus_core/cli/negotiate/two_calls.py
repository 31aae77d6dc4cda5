"""`graphbus negotiate turn` and `say` as functions that print and give an exit code: two calls a turn."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.cli.negotiate import text
from graphbus_core.cli.negotiate.commands import end_poll, unwritten, words_of
from graphbus_core.cli.negotiate.ends import EXIT_ERROR, end, fails
from graphbus_core.cli.negotiate.seated import opened
from graphbus_core.errors import ConfigError
from graphbus_core.workspace.tables import take_turn, turn_told, waited


@fails(EXIT_ERROR)
def turn(
    directory: Path,
    name: str = "",
    within_s: float = 100,
    everything: bool = False,
    as_json: bool = False,
    seat: Path | None = None,
) -> int:
    """0 yours, with all that it owes; 1 not yet, call again; 2 done."""
    where, name = opened(directory, seat, name)
    _named(name)
    told = waited(where, name, lambda data: data["turn"] != "wait" or not data["registered"], within_s)
    if told.data["turn"] == "yours" and told.data["phase"] == "positions":
        lost = where.skipped(name)
        told.data["brief"] = turn_told(where, name, everything)
        words = "\n".join(filter(None, [lost, told.data["brief"], text.next_call(where.root, name, seat, "say")]))
        return end(told, words, as_json, 0, where)
    if told.data["turn"] == "wait" and told.data["registered"]:
        told.data["next"] = text.next_call(where.root, name, seat, "turn")
    return end_poll(told, name, as_json, where)


def _named(name: str) -> None:
    if not name:
        raise ConfigError("Who are you? Give --seat FILE, as `start` or `register` named it, or your NAME behind DIR.")


@fails(1)
def say_turn(
    directory: Path, name: str = "", file: str = "", keep: bool = False, as_json: bool = False, seat: Path | None = None
) -> int:
    """0; 1 refused, and nothing of it was taken."""
    where, name = opened(directory, seat, name)
    _named(name)
    told = take_turn(where, name, words_of(None, file or "-"), keep)
    if told.code in ("turn", "early"):
        told = unwritten(told, where, name)
    words = text.said(told.data, where.root, name, seat) if told.ok else ""
    return end(told, words, as_json, 0 if told.ok else 1, where)
