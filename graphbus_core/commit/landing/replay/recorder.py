"""What the tests of a tree call the project's functions with, as recipes. Runs confined, in a process of its own."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections import Counter
from types import CodeType, FrameType
from typing import Any

from .ground import GROUND
from .values import Encoder, NoRecipe, Recipe

MAX_CALLS = 25  # of one function that are kept
MAX_OBJECTS = 2000


class Recorder:
    """Looks on while tests run: the arguments of every call into the project, and how its objects were made."""

    def __init__(self, root: str, encoder: Encoder) -> None:
        self.root, self.encoder = root + os.sep, encoder
        self.calls: Counter[CodeType] = Counter()
        self.values: dict[str, list[list[Any]]] = {}  # function -> the arguments by name, of each call
        self.active: Counter[int] = Counter()  # objects of which a method is running

    def look(self, frame: FrameType, event: str, result: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(self.root) or event not in ("call", "return"):
            return
        names = code.co_varnames[: code.co_argcount]
        me = frame.f_locals.get(names[0]) if names[:1] == ("self",) else None
        if event == "return":
            self.active[id(me)] -= me is not None
            if me is None and "." not in code.co_qualname:
                self._keep_result(frame, code, result)
            return
        if self.calls[code] < MAX_CALLS:
            self.calls[code] += 1
            self._keep_call(frame, code, me)
        self.active[id(me)] += me is not None

    def _keep_call(self, frame: FrameType, code: CodeType, me: Any) -> None:
        given = self._encode_arguments(frame, code, me is not None)
        if given is None:
            return
        self.values.setdefault(f"{frame.f_globals.get('__name__')}:{code.co_qualname}", []).append(given)
        if me is None or len(self.encoder.made) > MAX_OBJECTS:
            return
        kind = type(me)
        named = {name: value for name, value in given if name[0] != "*"}
        if code.co_name == "__init__":
            if id(me) not in self.encoder.made and "<" not in kind.__qualname__:
                self.encoder.made[id(me)] = (me, ["n", kind.__module__, kind.__qualname__, [], named, []])
        elif not self.active[id(me)] and id(me) in self.encoder.made and not code.co_name.startswith("_"):
            self.encoder.made[id(me)][1][-1].append([code.co_name, [], named])

    def _keep_result(self, frame: FrameType, code: CodeType, result: Any) -> None:
        if isinstance(result, type(None) | bool | int | float | str | list | dict | tuple | set):
            return
        if id(result) in self.encoder.made or code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
            return
        module = frame.f_globals.get("__name__")
        seen = self.values.get(f"{module}:{code.co_qualname}")
        if seen and len(self.encoder.made) < MAX_OBJECTS and not code.co_name.startswith("test"):
            recipe: Recipe = ["n", module, code.co_qualname, [], dict(seen[-1]), []]
            self.encoder.made[id(result)] = (result, recipe)

    def _encode_arguments(self, frame: FrameType, code: CodeType, skip: bool) -> list[Any] | None:
        count = code.co_argcount + code.co_kwonlyargcount
        if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or code.co_posonlyargcount:
            return None
        try:
            return [
                [n, self.encoder.encode(frame.f_locals[n])] for n in code.co_varnames[skip:count] if n in frame.f_locals
            ]
        except NoRecipe:
            return None


def note_writers(root: str, tests: list[str]) -> None:
    """Have it noted from here on which code of the project, outside of its tests, writes a file of the tests."""

    def look(event: str, given: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(given[2], int) or not given[2] & (os.O_WRONLY | os.O_RDWR):
            return
        name = os.fsdecode(given[0]) if isinstance(given[0], str | bytes) else ""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not frame.f_code.co_filename.startswith(root + os.sep):
            frame = frame.f_back
        if frame is not None and name.startswith(GROUND.recorded):
            path = frame.f_code.co_filename[len(root) + 1 :]
            if path not in tests and not os.path.basename(path).startswith(("conftest.", "test_")):
                GROUND.writers[os.path.realpath(name)] = [path, frame.f_code.co_qualname]

    sys.addaudithook(look)


def record(root: str, words: list[str], encoder: Encoder, out: int) -> None:
    """Run tests and write what they called to a descriptor. Ends the process."""
    import pytest

    recorder = Recorder(root, encoder)
    note_writers(root, words)
    sys.setprofile(recorder.look)
    try:
        pytest.main(["-q", "-p", "no:cacheprovider", *words])
    finally:
        sys.setprofile(None)
        with os.fdopen(out, "w") as file:
            json.dump(recorder.values, file)
        os._exit(0)
