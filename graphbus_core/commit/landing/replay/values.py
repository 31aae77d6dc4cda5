"""Values as recipes: plain lists that say how a value is made, so that two trees can each make their own.

Runs confined, laid into a tree as a package of its own: nothing here may import ours.
"""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import importlib
import inspect
import linecache
import os
import pathlib
import pickle
import re
import sys
import types
from collections.abc import Callable
from itertools import islice
from typing import Any

from .ground import GROUND

Recipe = list[Any]
MAX_DEPTH = 5
MAX_ITEMS = 50
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_PLAIN = (type(None), bool, int, float, str)
MISUSE = ("TypeError", "AttributeError", "NameError", "AssertionError", "RecursionError", "UnboundLocalError")
"""What code raises that cannot work with what it was given; any other error may be an answer."""
_SEQUENCES: dict[str, Callable[[list[Any]], Any]] = {"l": list, "t": tuple, "s": set, "f": frozenset}


TESTS: set[str] = set()  # the files of tests that run
_ROOT = os.getcwd() + os.sep
_HERE = os.path.dirname(os.path.realpath(__file__)) + os.sep
_RAISES = re.compile(r"\b(raise|assert)\b")


class NoRecipe(Exception):
    """A value of which nobody saw how it was made."""


def find_global(module: str, name: str) -> Any:
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def build(recipe: Recipe, made: list[Any]) -> Any:
    """The value that a recipe makes in this tree. `made` takes up the objects, in an order that every tree has.

    Raises whatever the code that it calls raises."""
    kind, *rest = recipe
    if kind == "v":
        return rest[0]
    if kind == "w":
        return GROUND.build(recipe)
    if kind == "b":
        return bytes.fromhex(rest[0])
    if kind in _SEQUENCES:
        return _SEQUENCES[kind]([build(item, made) for item in rest[0]])
    if kind == "d":
        return {build(key, made): build(value, made) for key, value in rest[0]}
    if kind == "p":
        return pickle.loads(bytes.fromhex(rest[0]))
    if kind == "g":
        return find_global(rest[0], rest[1])
    if kind == "c":
        return lambda *given, **named: given[0] if given and rest[0] else None
    module, name, given, named, calls = rest
    whole = find_global(module, name)(*_build_all(given, made), **_build_named(named, made))
    made.append(whole)
    for method, more, others in calls:
        finish(getattr(whole, method)(*_build_all(more, made), **_build_named(others, made)))
    return whole


def _build_all(recipes: list[Recipe], made: list[Any]) -> list[Any]:
    return [build(recipe, made) for recipe in recipes]


def _build_named(recipes: dict[str, Recipe], made: list[Any]) -> dict[str, Any]:
    return {name: build(recipe, made) for name, recipe in recipes.items()}


def finish(value: Any) -> Any:
    """What is awaited where a call gave something to wait for."""
    if inspect.iscoroutine(value):

        async def wait() -> Any:
            return await asyncio.wait_for(value, 2)

        return asyncio.run(wait())
    return value


class Encoder:
    """Turns values into recipes. `made`: how objects were made that were seen being made, by identity."""

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self.is_own = is_own
        self.made: dict[int, tuple[Any, Recipe]] = {}

    def encode(self, value: Any, depth: int = 0) -> Recipe:
        """Raises NoRecipe."""
        if depth > MAX_DEPTH:
            raise NoRecipe
        if id(value) in self.made and self.made[id(value)][0] is value:
            recipe = self.made[id(value)][1]
            return [*recipe[:-1], [*recipe[-1]]]
        kind = type(value)
        path = GROUND.encode(value)
        if path is not None:
            return path
        if kind in _PLAIN:
            return ["v", value]
        if kind is bytes:
            return ["b", value.hex()]
        for letter, sequence in _SEQUENCES.items():
            if kind is sequence and len(value) <= MAX_ITEMS:
                return [letter, [self.encode(item, depth + 1) for item in value]]
        if kind is dict and len(value) <= MAX_ITEMS:
            return ["d", [[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items()]]
        return self._encode_object(value, kind, depth)

    def _encode_object(self, value: Any, kind: type, depth: int) -> Recipe:
        own = self.is_own(kind.__module__)
        if isinstance(value, type | types.FunctionType):
            if self.is_own(value.__module__) and "<" not in value.__qualname__:
                return ["g", value.__module__, value.__qualname__]
        elif isinstance(value, enum.Enum) and own:
            return ["g", kind.__module__, f"{kind.__qualname__}.{value.name}"]
        elif dataclasses.is_dataclass(value) and own:
            fields = {
                f.name: self.encode(getattr(value, f.name), depth + 1) for f in dataclasses.fields(value) if f.init
            }
            return ["n", kind.__module__, kind.__qualname__, [], fields, []]
        elif isinstance(value, tuple) and own:
            return ["n", kind.__module__, kind.__qualname__, [self.encode(v, depth + 1) for v in value], {}, []]
        elif kind.__module__ in ("datetime", "decimal", "fractions", "pathlib", "uuid", "collections"):
            return ["p", pickle.dumps(value).hex()]
        raise NoRecipe


def dump(value: Any, labels: dict[int, int] | None = None, around: tuple[int, ...] = (), is_whole: bool = False) -> Any:
    """What can be seen of a value, in a form that two trees can be compared by. `labels`: objects that were given, by
    number: one that comes up is told by that, but for the one that `is_whole` asks for."""
    kind = type(value)
    if kind in _PLAIN:
        return repr(value) if kind is float and value != value else ["v", _hide(value)]
    if labels and id(value) in labels and not is_whole:
        return ["given", labels[id(value)]]
    if len(around) > MAX_DEPTH or id(value) in around:
        return ["..."]

    def go(part: Any) -> Any:
        return dump(part, labels, (*around, id(value)))

    if isinstance(value, str | int | float):
        return ["v", _hide(_make_plain(value))]
    if isinstance(value, enum.Enum):
        return ["enum", kind.__qualname__, value.name]
    if isinstance(value, pathlib.PurePath):
        return ["path", GROUND.hide(str(value))]
    if isinstance(value, list | tuple):
        return ["list" if isinstance(value, list) else "tuple", [go(item) for item in value[:MAX_ITEMS]], len(value)]
    if isinstance(value, set | frozenset):
        return ["set", sorted((go(item) for item in value), key=repr)]
    if isinstance(value, dict):
        return ["dict", sorted(([go(k), go(v)] for k, v in islice(value.items(), MAX_ITEMS)), key=repr)]
    if isinstance(value, BaseException):
        return dump_error(value)
    if inspect.isgenerator(value) or kind.__name__.endswith("iterator") or kind in (map, filter, zip):
        return ["iterator", [go(item) for item in islice(value, MAX_ITEMS)]]
    if isinstance(value, type | types.FunctionType | types.MethodType | types.ModuleType):
        return ["name", getattr(value, "__qualname__", getattr(value, "__name__", ""))]
    if is_plain_object(value):
        return ["object", kind.__qualname__, {k: go(v) for k, v in vars(value).items() if not k.startswith("_")}]
    return ["other", kind.__qualname__, GROUND.hide(_ADDRESS.sub("", repr(value)))[:500]]


def dump_untouched(value: Any, labels: dict[int, int], depth: int = 0) -> Any:
    """What can be told of a value that somebody is about to work with: nothing of it is called or gone through."""
    kind = type(value)
    if kind in (list, tuple, dict) and depth < MAX_DEPTH:
        parts = value.items() if kind is dict else value
        return [
            kind.__name__,
            [dump_untouched(part, labels, depth + 1) for part in islice(parts, MAX_ITEMS)],
            len(value),
        ]
    if kind in (str, bytes, int, float, bool, type(None)):
        return dump(value)
    return ["given", labels[id(value)]] if id(value) in labels else ["other", kind.__qualname__]


def dump_yield(frame: types.FrameType, value: Any, labels: dict[int, int]) -> list[Any]:
    """What a function that ends gives, and how it leaves the object that it is a method of."""
    code = frame.f_code
    owner = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
    try:
        inside = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        inside = None
    state = {name: dump_untouched(part, labels, 1) for name, part in inside.items()} if type(inside) is dict else {}
    return [dump_untouched(value, labels), state]


def dump_error(error: BaseException) -> list[Any]:
    """An error, its text, what else it is caught as, and whether somebody meant it."""
    names = [kind.__name__ for kind in type(error).__mro__]
    return ["error", type(error).__name__, GROUND.hide(str(error))[:200], names, is_meant(error)]


def is_meant(error: BaseException) -> bool:
    """Whether an error is an answer: a line of the project that says so raised it, or it came up in a test. What
    breaks at another line was never thought of."""
    own: list[tuple[str, int]] = []
    last = ("", 0)
    trace = error.__traceback__
    while trace is not None:
        last = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        if last[0].startswith(_ROOT) and not last[0].startswith(_HERE) and last[0] not in TESTS:
            own.append(last)
        trace = trace.tb_next
    return not own or (own[-1] == last and bool(_RAISES.search(linecache.getline(*last))))


def _hide(value: Any) -> Any:
    return GROUND.hide(value) if isinstance(value, str) else value


def _make_plain(value: str | int | float) -> str | int | float:
    """What a value of a class below a plain one is equal to."""
    plain = next(kind for kind in (str, int, float) if isinstance(value, kind))
    return str.__str__(value) if isinstance(value, str) else plain.__add__(value, 0)  # type: ignore[operator]


def is_plain_object(value: Any) -> bool:
    """Whether it is of a class of the project or of a library, with attributes of its own."""
    file = getattr(sys.modules.get(type(value).__module__), "__file__", None) or ""
    is_foreign = file.startswith(_LIBRARY) and "site-packages" not in file
    return isinstance(getattr(value, "__dict__", None), dict) and bool(file) and not is_foreign


def find_change(before: Any, after: Any) -> Any:
    """What of a dumped value is not as before; None where nothing is."""
    if before == after:
        return None
    if before[0] == after[0] == "object" and before[1] == after[1]:
        old, new = before[2], after[2]
        gone = sorted(set(old) - set(new))
        return {
            "gone": gone,
            **{k: find_change(old[k], v) if k in old else v for k, v in new.items() if old.get(k) != v},
        }
    if before[0] == after[0] == "list" and before[2] == after[2]:
        return [find_change(old, new) for old, new in zip(before[1], after[1], strict=True)]
    return after
