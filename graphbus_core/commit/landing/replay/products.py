"""What the project itself makes while tests run: objects, files, texts and tables. Runs confined, like `driver.py`.

A test hands new code what its author wrote down. The project hands it what it makes. This says what that is on a tree,
act by act, so that what two trees make of one act can be laid side by side.
"""

from __future__ import annotations

import builtins
import json
import os
import sys
from collections.abc import Generator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from .ground import GROUND
from .values import Encoder, NoRecipe, dump
from .variants import LOOK, write_looks

MAX_MADE = 12  # of one kind, in one test
MAX_TEXT = 4000
_SHARED = (list, dict, set, bytearray)  # what can be another under the same name


class Products:
    """A plug-in of pytest. `made`: test -> kind -> what was made of it, in order; a kind is a class, a function that
    gave it, or a file. `shared`: class -> the parts that its objects have together, and that change."""

    def __init__(self, root: str, tests: set[str], encoder: Encoder) -> None:
        self.root, self.tests, self.encoder = root + os.sep, tests, encoder
        self.made: dict[str, dict[str, list[Any]]] = {}
        self.shared: dict[str, list[str]] = {}
        self.test = ""
        self.parts: dict[tuple[str, str, int], tuple[Any, Any]] = {}  # what objects were given, and how it was then

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        self.test = item.nodeid
        self.parts = {}
        sys.setprofile(self.look)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            self._keep_files()
            self.test = ""

    def _is_own(self, frame: FrameType | None) -> bool:
        """Whether a frame is code of the project outside of its tests."""
        name = frame.f_code.co_filename if frame is not None else ""
        return name.startswith(self.root) and name not in self.tests and "graphbus_replay" not in name

    def look(self, frame: FrameType, event: str, result: Any) -> None:
        """Take up an object that the project makes, and a result that it gives."""
        code = frame.f_code
        if event == "call" and code.co_name == "__init__" and code.co_argcount:
            self._keep_object(frame)
        elif event == "return" and isinstance(result, str | dict) and self._is_own(frame):
            self._keep(f"result of {code.co_qualname}", result)

    def _keep_object(self, frame: FrameType) -> None:
        code = frame.f_code
        me = frame.f_locals.get(code.co_varnames[0])
        maker = frame.f_back
        if maker is not None and maker.f_code.co_name == "__init__" and maker.f_locals.get("self") is me:
            return  # of a base
        kind = type(me)
        if not self._is_own(maker) or not self.encoder.is_own(kind.__module__) or "<" in kind.__qualname__:
            return
        names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
        arguments = {name: frame.f_locals[name] for name in names if name in frame.f_locals}
        self._note_shared(kind.__qualname__, arguments)
        self._keep(f"class {kind.__qualname__}", arguments)

    def _note_shared(self, kind: str, given: Mapping[str, Any]) -> None:
        for name, value in given.items():
            if isinstance(value, _SHARED):
                key = (kind, name, id(value))
                if key in self.parts and self.parts[key][1] != dump(value):
                    self.shared.setdefault(kind, [])
                    if name not in self.shared[kind]:
                        self.shared[kind].append(name)
                self.parts.setdefault(key, (value, dump(value)))

    def _keep(self, kind: str, value: Any) -> None:
        entries = self.made.setdefault(self.test, {}).setdefault(kind, [])
        if len(entries) < MAX_MADE:
            try:
                entries.append(self.encoder.encode(value) if len(repr(value)) <= MAX_TEXT else None)
            except (NoRecipe, ValueError, TypeError, AttributeError):
                entries.append(None)  # keeps its place

    def _keep_files(self) -> None:
        for name in sorted(GROUND.writers):
            if os.path.isfile(name):
                try:
                    self._keep(f"file {os.path.basename(name)}", Path(name).read_text())
                except (OSError, ValueError):
                    continue
        GROUND.writers.clear()


def list_products(root: str, texts: Mapping[str, str], encoder: Encoder, out: int) -> None:
    """Run tests, as some side wrote them, and write what the project made in them to a descriptor."""
    from .recorder import note_writers

    for path, text in texts.items():
        file = Path(root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write_looks(text))
    setattr(builtins, LOOK, lambda value, is_raised=False: None)
    products = Products(root, {str(Path(root, path)) for path in texts}, encoder)
    note_writers(root, list(texts))
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no", *texts], plugins=[products])
    with os.fdopen(out, "w") as file_out:
        json.dump({"made": products.made, "shared": products.shared}, file_out)
