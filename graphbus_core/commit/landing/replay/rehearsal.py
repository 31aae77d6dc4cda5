"""Runs variants of tests on a tree and tells what each saw, and which lines it ran. Runs confined, like `driver.py`."""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from .patience import Alarm, read_time
from .steps import KEEP, STEP, Steps
from .substitutes import SHARE, Sharer
from .values import TESTS, dump, dump_yield, is_meant
from .variants import LOOK, MARK, write_variants

TEST_S = 5  # for one variant
ALL_S = 60.0  # for all of them
MAX_LOOKS = 60
MAX_COURSE = 300  # lines and ends of functions that are asked for
MAX_YIELDED = 40  # of functions below one that is asked for


class _TookTooLong(BaseException):
    """A variant that did not end in time; nothing that the code catches."""


class Rehearsal:
    """A plug-in of pytest: what each variant looked at, how it ended, and the lines that ran below some functions."""

    def __init__(self, root: str, watched: Sequence[str], scopes: Sequence[tuple[str, str]]) -> None:
        self.root = root + os.sep
        self.watched = set(watched)
        self.scopes = {(path, name) for path, name in scopes}
        self.told: dict[str, dict[str, Any]] = {}
        self.looks: list[Any] = []
        self.lines: dict[str, set[tuple[str, int]]] = {}
        self.yielded: dict[str, list[Any]] = {}  # what functions below each of those gave
        self.road: list[Any] = []  # the lines of those, in their order, and what each gave at which
        self.around: set[tuple[str, int]] = set()  # lines that ran at all
        self.raised: dict[int, tuple[str, int]] = {}  # look, or -1 for the end -> where its error was raised
        self.is_barred = False  # an error came up before any such function had the input
        self.below: list[str] = []  # the functions that are running, of those that are asked for
        self.files: dict[CodeType, str | None] = {}
        self.end = read_time() + ALL_S
        self.is_sharing = False
        self.sharer = Sharer(False)
        self.steps = Steps()

    def look(self, value: Any, is_raised: bool = False) -> None:
        """Take up what stands on a side of an `assert`, or the error that came up there."""
        if is_raised and not self._passes(value):
            self.is_barred = True
        if len(self.looks) < MAX_LOOKS:
            if is_raised:
                self._note_raised(len(self.looks), value)
            self.looks.append(dump(value))

    def _note_raised(self, look: int, error: BaseException) -> None:
        self.raised[look] = ("", 0)
        trace = error.__traceback__
        while trace is not None:
            path = self._find_file(trace.tb_frame.f_code)
            if path is not None:
                self.raised[look] = (path, trace.tb_lineno)
            trace = trace.tb_next

    def _passes(self, error: BaseException) -> bool:
        """Whether an error came up through one of the functions that are asked for."""
        trace = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if (self._find_file(code), code.co_qualname.replace(".<locals>", "")) in self.scopes:
                return True
            trace = trace.tb_next
        return False

    def _find_file(self, code: CodeType) -> str | None:
        if code not in self.files:
            name = code.co_filename
            path = name[len(self.root) :] if name.startswith(self.root) else ""
            self.files[code] = path if path in self.watched else None
        return self.files[code]

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        path = self._find_file(frame.f_code)
        if path is None:
            return None
        name = frame.f_code.co_qualname.replace(".<locals>", "")
        scope = f"{path}::{name}"
        is_asked = (path, name) in self.scopes
        if is_asked:
            self.below.append(scope)

        def trace_on(frame: FrameType, event: str, value: Any) -> Any:
            self.around.add((path, frame.f_lineno))
            for above in self.below:
                self.lines.setdefault(above, set()).add((path, frame.f_lineno))
            if event == "return" and is_asked and scope in self.below:
                self.below.remove(scope)
                self._note_course([path, name, frame.f_lineno, dump_yield(frame, value, {})])
            elif is_asked and event == "line":
                self._note_course([path, name, frame.f_lineno])
            if event == "return" and self.below:
                self._keep_yield([path, name, dump_yield(frame, value, {})])
            return trace_on

        return trace_on(frame, event, None)

    def take_step(self, kind: str, method: str, is_done: bool, given: Sequence[Any]) -> None:
        """Do to the objects of a class what the other side does to them; what comes then is another course."""
        self.steps.step(kind, method, is_done, given)
        self.road = []

    def _note_course(self, step: list[Any]) -> None:
        if len(self.road) < MAX_COURSE:
            self.road.append(step)

    def _keep_yield(self, yielded: list[Any]) -> None:
        for above in set(self.below):
            entries = self.yielded.setdefault(above, [])
            if len(entries) < MAX_YIELDED:
                entries.append(yielded)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if MARK in item.name]

    def pytest_runtest_protocol(self, item: Any) -> None:
        self.looks, self.lines, self.below, self.around, self.is_barred = [], {}, [], set(), False
        self.yielded, self.raised, self.road = {}, {}, []
        self.sharer, self.steps = Sharer(self.is_sharing), Steps()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        alarm = Alarm(TEST_S, _TookTooLong)
        alarm.start()
        sys.settrace(self.trace)
        error: BaseException | None = None
        try:
            if read_time() > self.end:
                item.session.shouldstop = "no more time"
            yield
        except BaseException as e:
            error = e
        sys.settrace(None)
        alarm.stop()
        lines = {scope: sorted(ran) for scope, ran in self.lines.items()}
        about = {"end": "passed", "seen": self.looks, "broke": False, "barred": self.is_barred, "raised": self.raised}
        seen_below = {"lines": lines, "around": sorted(self.around), "yielded": self.yielded, "course": self.road}
        self.told[item.nodeid] = {**about, **seen_below}
        self._note_end(item, error)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[None]:
        report = yield
        if (
            call.when == "call"
            and call.excinfo is not None
            and not isinstance(call.excinfo.value, pytest.skip.Exception)
        ):
            self._note_end(item, call.excinfo.value)  # unittest keeps its errors to itself until here
        return report

    def _note_end(self, item: Any, error: BaseException | None) -> None:
        """Take up the error that a variant ended with."""
        if error is not None:
            self._note_raised(-1, error)
            is_barred = self.is_barred or not self._passes(error)
            end = {"end": type(error).__name__, "broke": not is_meant(error), "barred": is_barred}
            self.told[item.nodeid].update(end)


def run_variants(root: str, order: dict[str, Any]) -> dict[str, Any]:
    """What the variants of some tests see in this tree. Writes over the files of those tests."""
    literals = [*order["literals"], *map(bytes.fromhex, order["bytes"])]
    for path, text in order["texts"].items():
        file = Path(root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        known = (order["sizes"], order["defaults"], order["makers"], order.get("products"), order.get("steps"))
        file.write_text(write_variants(text, order["tests"][path], literals, *known))
        TESTS.add(str(file))
    rehearsal = Rehearsal(root, order["watched"], [tuple(scope) for scope in order["scopes"]])
    rehearsal.is_sharing = bool(order.get("is_sharing"))
    setattr(builtins, LOOK, rehearsal.look)
    setattr(builtins, KEEP, lambda thing: rehearsal.steps.keep(thing))
    setattr(builtins, STEP, rehearsal.take_step)
    setattr(builtins, SHARE, lambda thing, name: rehearsal.sharer.share(thing, name))
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no", *order["texts"]], plugins=[rehearsal])
    return rehearsal.told
