"""Runs a test command and writes down the types that the project's functions took and gave. Run by path, alone.

Standard input says what to keep, as JSON: `words` (texts that stand in the project's own code: no other key of a
mapping is ever told), `values` (whether examples may be told) and `mark`. At the end one line with the mark and a JSON
object goes to standard output: `file:function` -> how often, what it took by parameter, what it gave. Values stay here.
"""

import atexit
import dis
import json
import os
import runpy
import sys
import threading
from types import CodeType, FrameType
from typing import Any

MAX_FUNCTIONS, MAX_SHAPES, MAX_DEPTH, MAX_KEYS, LOOKED_AT, MAX_CALLS = 4_000, 12, 4, 24, 20, 400
OPTIMIZED, GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x1, 0x20, 0x80, 0x200
SIMPLE = (str, int, float, bool)


class Recorder:
    """What was seen, by function. It never raises into the program, and never calls anything of its objects."""

    def __init__(self, root: str, words: frozenset[str], values: bool) -> None:
        self.root, self.words, self.values = root + os.sep, words, values
        self.seen: dict[str, dict[str, Any]] = {}
        self.ours: dict[CodeType, str] = {}
        self.entered: dict[int, int] = {}  # of a generator that runs: the instruction it was entered at

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        name = self.ours.get(code)
        if name is None:
            name = self.ours[code] = self.name_function(code)
        if not name:
            return
        entry = self.seen.get(name)
        if entry is None:
            if len(self.seen) >= MAX_FUNCTIONS:
                return
            entry = self.seen[name] = {"calls": 0, "takes": {}, "gives": [], "examples": {}}
        try:
            if event == "call":
                if code.co_flags & (GENERATOR | ASYNC_GENERATOR):
                    self.entered[id(frame)] = frame.f_lasti
                self.record_call(frame, code, entry)
            elif entry["calls"] <= MAX_CALLS:
                self.record_return(frame, code, arg, entry)
        except Exception:  # an object that cannot even be looked at stays unknown
            return

    def name_function(self, code: CodeType) -> str:
        """`file:function` of a function of the project; empty for all others."""
        path = os.path.abspath(code.co_filename)
        if not path.startswith(self.root) or code.co_name.startswith("<") or not code.co_flags & OPTIMIZED:
            return ""  # the body of a class is not a function
        return path[len(self.root) :].replace(os.sep, "/") + ":" + code.co_qualname.replace("<locals>.", "")

    def record_call(self, frame: FrameType, code: CodeType, entry: dict[str, Any]) -> None:
        if code.co_flags & (GENERATOR | COROUTINE | ASYNC_GENERATOR) and frame.f_lasti > 4:
            return  # it goes on after a `yield` or an `await`
        entry["calls"] += 1
        if entry["calls"] > MAX_CALLS:
            return
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            if name in frame.f_locals:
                value = frame.f_locals[name]
                self.add_shape(entry["takes"].setdefault(name, []), self.describe_type(value, 0))
                self.add_example(entry, name, value)

    def record_return(self, frame: FrameType, code: CodeType, arg: Any, entry: dict[str, Any]) -> None:
        # After an exception the event comes as well, with None; the instruction tells the two apart.
        how = dis.opname[code.co_code[frame.f_lasti]] if 0 <= frame.f_lasti < len(code.co_code) else ""
        if code.co_flags & (GENERATOR | ASYNC_GENERATOR):
            # Since Python 3.13 a generator stands behind its `yield` already. One that is closed, or that something is
            # thrown into, says None where it was entered. A `yield` of None was seen when it was first come to.
            stayed = self.entered.pop(id(frame), -1) == frame.f_lasti
            if how in ("YIELD_VALUE", "RESUME") and not (arg is None and stayed):
                self.add_shape(entry["gives"], ["many", "Iterator", self.describe_type(arg, 1)])
        elif how in ("RETURN_VALUE", "RETURN_CONST"):
            self.add_shape(entry["gives"], self.describe_type(arg, 0))
            self.add_example(entry, "return", arg)

    def add_shape(self, shapes: list[Any], shape: Any) -> None:
        if shape not in shapes and len(shapes) < MAX_SHAPES:
            shapes.append(shape)

    def add_example(self, entry: dict[str, Any], name: str, value: Any) -> None:
        if self.values and type(value) in SIMPLE:
            some = entry["examples"].setdefault(name, [])
            short = value[:80] if isinstance(value, str) else value
            if short not in some and len(some) < 3:
                some.append(short)

    def describe_type(self, value: Any, depth: int) -> Any:
        """The type of a value, inside of plain containers too."""
        kind = type(value)
        if value is None:
            return "None"
        if depth >= MAX_DEPTH:
            return "?"
        if kind is dict:
            return self.describe_mapping(value, depth)
        if kind in (list, set, frozenset):
            return ["many", kind.__name__, self.describe_alternatives(value, depth)]
        if kind is tuple:
            if len(value) > 6:
                return ["many", "tuple", self.describe_alternatives(value, depth)]
            return ["row", *(self.describe_type(item, depth + 1) for item in value)]
        if kind.__module__ == "builtins":
            return kind.__name__
        return ["made", kind.__module__, kind.__qualname__]

    def describe_mapping(self, value: dict[Any, Any], depth: int) -> Any:
        keys = list(value)[: MAX_KEYS + 1]
        if keys and len(keys) <= MAX_KEYS and all(type(key) is str and key in self.words for key in keys):
            return ["keyed", {key: self.describe_type(value[key], depth + 1) for key in sorted(keys)}]
        return [
            "mapped",
            self.describe_alternatives(keys, depth),
            self.describe_alternatives(list(value.values()), depth),
        ]

    def describe_alternatives(self, values: Any, depth: int) -> Any:
        shapes: list[Any] = []
        for number, item in enumerate(values):
            if number >= LOOKED_AT:
                break
            self.add_shape(shapes, self.describe_type(item, depth + 1))
        return ["either", *shapes]


def main(argv: list[str]) -> None:
    """Record while `argv` runs: `-m module …`, or a script."""
    request = json.loads(sys.stdin.buffer.read())
    recorder = Recorder(os.path.abspath(os.getcwd()), frozenset(request["words"]), request["values"])
    out, owner = os.dup(1), os.getpid()

    def write_report() -> None:
        if os.getpid() == owner:  # a fork of the tests is not asked
            sys.setprofile(None)
            line = (
                f"\n{request['mark']} {json.dumps({k: v for k, v in recorder.seen.items() if v['calls']})}\n".encode()
            )
            while line:
                line = line[os.write(out, line) :]

    atexit.register(write_report)
    sys.path[0] = os.getcwd()
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    if argv[0] == "-m":
        sys.argv = argv[1:]
        runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = argv
        runpy.run_path(argv[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
