# stateful
"""Keeps the last command: cmd.Cmd repeats it when an empty line comes in."""
from __future__ import annotations

import cmd
import io
import shlex

from graphbus_core import GraphBusNode, subscribe

STOCK = {
    "A1": {"bolt": 400, "nut": 380},
    "A2": {"washer": 900},
    "B1": {"hinge": 24, "bolt": 60},
    "B2": {},
}


class ShelfShell(cmd.Cmd):
    """What the hand scanners speak."""

    prompt = ""
    use_rawinput = False

    def _say(self, *words: object) -> None:
        print(*words, file=self.stdout)

    def do_find(self, line: str) -> None:
        for article in shlex.split(line):
            shelves = [name for name, held in STOCK.items() if article in held]
            self._say(article, "->", " ".join(shelves) or "nowhere")

    def do_count(self, line: str) -> None:
        for shelf in shlex.split(line.upper()):
            self._say(shelf, sum(STOCK.get(shelf, {}).values()))

    def do_list(self, line: str) -> None:
        self.columnize(sorted(STOCK.get(line.strip().upper(), {})), displaywidth=40)

    def default(self, line: str) -> None:
        self._say("?", line.split()[0])


class ShelfConsole(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._shell = ShelfShell()

    @subscribe("/Scanner")
    def on_line(self, line: str) -> dict[str, list[str]]:
        self._shell.stdout = io.StringIO()
        try:
            self._shell.onecmd(line.strip())
        except ValueError as problem:
            return {"answer": [f"bad line: {problem}"]}
        return {"answer": self._shell.stdout.getvalue().splitlines()}
