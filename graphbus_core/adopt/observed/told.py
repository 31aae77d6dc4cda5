"""What the recorder told, as shapes: read with suspicion.

It comes out of a process that ran unreviewed code: all of it is bounded and checked; what is not a type is unknown.

A mapping seen with three keys is not a record of three fields: keys that were always there are open to more, and
keys that differed make it a plain mapping.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.adopt.known.shapes import NONE, UNKNOWN, Field, Keyed, Many, Mapped, Plain, Row, Shape, either, text

WORD = re.compile(r"[A-Za-z_][\w.]{0,120}")
MAX_FUNCTIONS, MAX_SHAPES, MAX_DEPTH, MAX_PARTS, MAX_EXAMPLES = 4_000, 12, 8, 32, 3
MOST_OF = 2  # with more than so many keys for each that was always there, it is not a record
KINDS = {"list", "set", "frozenset", "tuple", "Iterator"}

Classes = Callable[[str, str], Shape]  # module and qualified name -> the class of the project, or a plain word


@dataclass(frozen=True)
class Watched:
    """One function as the tests saw it."""

    calls: int
    takes: Mapping[str, Shape]
    gives: Shape
    examples: Mapping[str, list[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Observed:
    """Functions by (file, qualified name), and how the tests ended, in a few words."""

    functions: Mapping[tuple[str, str], Watched]
    command: str
    ended: str
    passed: bool
    protection: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON form: types by function, and examples where they were asked for."""
        functions = [
            {
                "file": path,
                "name": name,
                "calls": one.calls,
                "takes": {word: text(shape) for word, shape in one.takes.items()},
                "gives": text(one.gives),
                **({"examples": dict(one.examples)} if one.examples else {}),
            }
            for (path, name), one in self.functions.items()
        ]
        return {"command": self.command, "ended": self.ended, "passed": self.passed, "functions": functions}


def read(line: str, classes: Classes) -> dict[tuple[str, str], Watched]:
    """The recorder's line. What is not of its form is left out."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    found: dict[tuple[str, str], Watched] = {}
    for place, entry in list(told.items())[:MAX_FUNCTIONS] if isinstance(told, dict) else ():
        path, _, name = str(place).rpartition(":")
        if not path.endswith(".py") or not WORD.fullmatch(name) or not isinstance(entry, dict):
            continue
        takes = entry.get("takes")
        calls = entry.get("calls")
        found[path, name] = Watched(
            calls if isinstance(calls, int) else 0,
            {word: _merged(some, classes) for word, some in _pairs(takes) if word not in ("self", "cls")},
            _merged(entry.get("gives"), classes),
            {word: _examples(some) for word, some in _pairs(entry.get("examples"))},
        )
    return found


def _pairs(given: object) -> Iterable[tuple[str, Any]]:
    if isinstance(given, dict):
        yield from ((word, some) for word, some in list(given.items())[:MAX_PARTS] if WORD.fullmatch(str(word)))


def _examples(given: object) -> list[Any]:
    some = given if isinstance(given, list) else []
    return [one[:80] if isinstance(one, str) else one for one in some if isinstance(one, str | int | float)][
        :MAX_EXAMPLES
    ]


def _merged(given: object, classes: Classes) -> Shape:
    """One shape for all that were seen."""
    some = given if isinstance(given, list) else []
    return merged([_shape(one, classes, 0) for one in some[:MAX_SHAPES]])


def merged(shapes: list[Shape]) -> Shape:
    """Shapes of several calls as one. Mappings become one mapping; keys that came and went are not fields."""
    keyed = [one for one in shapes if isinstance(one, Keyed)]
    mapped = [one for one in shapes if isinstance(one, Mapped)]
    rest: list[Shape] = [one for one in shapes if not isinstance(one, Keyed | Mapped)]
    if mapped:
        inside = [*(one.value for one in mapped), *(f.shape for one in keyed for f in one.fields)]
        rest.append(Mapped(merged([one.key for one in mapped] + [Plain("str")] * bool(keyed)), merged(inside)))
    elif keyed:
        rest.append(_one_record(keyed))
    return either(rest) if rest else UNKNOWN


def _one_record(keyed: list[Keyed]) -> Shape:
    """Keys that most calls share are fields, open to more; others are the data of a mapping."""
    always = set.intersection(*({f.name for f in one.fields} for one in keyed))
    every: dict[str, list[Shape]] = {}
    for one in keyed:
        for own in one.fields:
            every.setdefault(own.name, []).append(own.shape)
    if not always or len(every) > MOST_OF * len(always):
        return Mapped(Plain("str"), merged([shape for some in every.values() for shape in some]))
    return Keyed(tuple(Field(name, merged(some), name in always) for name, some in every.items()), open=True)


def _shape(told: object, classes: Classes, depth: int) -> Shape:
    if depth > MAX_DEPTH:
        return UNKNOWN
    match told:
        case "None":
            return NONE
        case str() as word:
            return Plain(word) if WORD.fullmatch(word) else UNKNOWN
        case ["many", str() as kind, inner] if kind in KINDS:
            return Many(kind, _shape(inner, classes, depth + 1))
        case ["row", *parts]:
            return Row(tuple(_shape(one, classes, depth + 1) for one in parts[:MAX_PARTS]))
        case ["mapped", key, value]:
            return Mapped(_shape(key, classes, depth + 1), _shape(value, classes, depth + 1))
        case ["keyed", dict() as keys]:
            fields = (Field(word, _shape(one, classes, depth + 1)) for word, one in _pairs(keys))
            return Keyed(tuple(fields), open=True)
        case ["either", *parts]:
            return merged([_shape(one, classes, depth + 1) for one in parts[:MAX_PARTS]])
        case ["made", str() as module, str() as name] if WORD.fullmatch(module) and WORD.fullmatch(name):
            return classes(module, name)
    return UNKNOWN
