# pure
"""Keeps nothing: each script gets a new shell, and the output is caught for that script only."""
from __future__ import annotations

import argparse
import cmd
import io
import shlex
import textwrap
from contextlib import redirect_stdout
from enum import Flag, auto

from graphbus_core import GraphBusNode, subscribe


class Lock(Flag):
    NONE = 0
    HOIST = auto()
    TROLLEY = auto()
    GANTRY = auto()


class ArgumentError(Exception):
    pass


class Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        raise ArgumentError(message)


MOVE = Arguments(prog="move", add_help=False)
MOVE.add_argument("bay", type=int)
MOVE.add_argument("row", type=int, nargs="?", default=0)
MOVE.add_argument("--via", action="append", type=int, default=[])


class CraneShell(cmd.Cmd):
    def __init__(self, bay: int) -> None:
        super().__init__(stdout=io.StringIO())
        self.bay, self.row = bay, 0
        self.travel = 0
        self.locks = Lock.NONE

    def do_move(self, line: str) -> None:
        wanted = MOVE.parse_args(shlex.split(line))
        if Lock.GANTRY in self.locks:
            print("gantry is locked")
            return
        for bay in [*wanted.via, wanted.bay]:
            self.travel += abs(bay - self.bay)
            self.bay = bay
        self.row = wanted.row
        print(f"at {self.bay}/{self.row}")

    def do_lock(self, line: str) -> None:
        self.locks ^= Lock[line.strip().upper()]
        print("locked:", ", ".join(str(lock.name).lower() for lock in self.locks) or "nothing")

    def default(self, line: str) -> None:
        print("?", textwrap.shorten(line, 24, placeholder="..."))


class CraneScripts(GraphBusNode):
    @subscribe("/CraneScripts")
    def on_script(self, script: str, bay: int) -> dict[str, object]:
        shell = CraneShell(bay)
        caught = io.StringIO()
        with redirect_stdout(caught):
            for line in textwrap.dedent(script).split("\n"):
                try:
                    shell.onecmd(line)
                except (ArgumentError, KeyError, ValueError) as problem:
                    print("refused:", problem)
        return {"output": caught.getvalue().splitlines(), "travel": shell.travel, "bay": shell.bay}
