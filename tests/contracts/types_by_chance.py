"""Contract types by chance, as Python writes them, and JSON payloads that fit, or nearly."""

from __future__ import annotations

import copy
import enum
import random
import typing
from dataclasses import field, make_dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict

import typing_extensions
from pydantic import Field

NAMES = ["a", "b", "kind", "ü x", "x-y", "self", "class", "v", "f0"]
SCALARS: list[Any] = [str, int, float, bool, None]
TEXTS = [
    "",
    "a",
    "ab",
    "abc",
    "é",
    "a\n",
    "0",
    "x" * 70,
    '"',
    "\\",
]  # not U+2028: the regular expressions of Rust take it for `.`, those of ECMA-262 do not
NUMBERS = [0, 1, -1, 2, 3, 7, 1.0, 0.5, -2.5, 10**20, 1e300, 12]
NEAR = [None, True, False, 0, 1, 1.0, "", "a", [], {}, [1], {"a": 1}, "1"]


class Types:
    """Draws types; `made` counts the kinds drawn, so that a test can say what it covered."""

    def __init__(self, rng: random.Random) -> None:
        self.random = rng
        self._count = 0

    def any(self, depth: int = 0) -> Any:
        """One type."""
        pick = self.random.random()
        if depth > 3 or pick < 0.25:
            return self._scalar()
        return self.random.choice(
            [
                *(self._list, self._dict, self._tuple, self._set, self._union, self._union, self._tagged),
                *(self._record, self._typed_dict, self._typed_dict, self._dataclass, self._recursive),
            ]
        )(depth + 1)

    def _scalar(self) -> Any:
        rng = self.random
        return rng.choice(
            [
                *SCALARS,
                *SCALARS,
                Any,
                Literal["a", "b"],
                Literal[1, "1", True],
                Literal[1, 2],
                enum.Enum(f"E{self._next()}", {"A": "a", "B": 2}),
                Annotated[int, Field(ge=rng.choice([-1, 0, 2]), lt=rng.choice([3, 10]))],
                Annotated[int, Field(multiple_of=rng.choice([2, 3]))],
                Annotated[float, Field(gt=0)],
                Annotated[float, Field(multiple_of=0.5)],
                Annotated[str, Field(min_length=1, max_length=3)],
                Annotated[str, Field(pattern=rng.choice(["^a", "b$", "^[ab]*$", r"^\d+$", "."]))],
                Annotated[str, "a text"],
            ]
        )

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _list(self, depth: int) -> Any:
        made = list[self.any(depth)]  # type: ignore[misc]
        return Annotated[made, Field(min_length=1, max_length=3)] if self.random.random() < 0.2 else made

    def _dict(self, depth: int) -> Any:
        key = self.random.choice([str, str, int, Literal["a", "b"], Annotated[str, Field(pattern="^[ab]")]])
        return dict[key, self.any(depth)]  # type: ignore[valid-type,misc]

    def _tuple(self, depth: int) -> Any:
        parts = tuple(self.any(depth) for _ in range(self.random.randrange(1, 3)))
        if self.random.random() < 0.3:
            return tuple[(parts[0], ...)]  # type: ignore[misc]
        if self.random.random() < 0.3:
            return tuple[(*parts, *tuple[int, ...])]  # type: ignore[misc]
        return tuple[parts]  # type: ignore[valid-type]

    def _set(self, depth: int) -> Any:
        return set[self.random.choice([str, int, float])]  # type: ignore[misc]

    def _union(self, depth: int) -> Any:
        return typing.Union.__getitem__(tuple(self.any(depth) for _ in range(self.random.randrange(2, 4))))

    def _tagged(self, depth: int) -> Any:
        made = []
        for tag in self.random.sample(["a", "b", "cat", "dog"], self.random.randrange(2, 5)):
            fields = {"kind": Required[Literal[tag]], **self._fields(depth, but="kind")}  # type: ignore[valid-type]
            made.append(TypedDict(f"T{self._next()}", fields))  # type: ignore[misc]
        return reduce(or_, [*made, None] if self.random.random() < 0.3 else made)

    def _fields(self, depth: int, but: str = "") -> dict[str, Any]:
        names = self.random.sample([n for n in NAMES if n != but], self.random.randrange(0, 4))
        return {n: self._maybe(self.any(depth)) for n in names}

    def _maybe(self, at: Any) -> Any:
        return NotRequired[at] if self.random.random() < 0.3 else at

    def _record(self, depth: int) -> Any:
        return TypedDict(f"R{self._next()}", self._fields(depth))  # type: ignore[operator]

    def _typed_dict(self, depth: int) -> Any:
        maker = self.random.choice([TypedDict, typing_extensions.TypedDict])
        return maker(f"R{self._next()}", self._fields(depth), total=self.random.random() < 0.5)

    def _dataclass(self, depth: int) -> Any:
        names = self.random.sample(["a", "b", "v", "f0"], 2)
        default: Any = field(default=1) if self.random.random() < 0.5 else field(default_factory=list)
        rows: list[Any] = [(names[0], self.any(depth))]
        if self.random.random() < 0.5:
            rows.append((names[1], self.any(depth), default))
        return make_dataclass(f"D{self._next()}", rows)

    def _recursive(self, depth: int) -> Any:
        generic = self.random.choice(GENERIC)
        if self.random.random() < 0.5:
            return generic[self.any(depth)]
        return self.random.choice([Node, Chain])


T = typing.TypeVar("T")


class Box(TypedDict, typing.Generic[T]):
    item: T
    more: NotRequired[list[T]]


class Crate(Box[T]):
    label: str


Held = make_dataclass("Held", [("item", T), ("n", int, field(default=0))], bases=(typing.Generic[T],))
GENERIC = [Box, Crate, Held]


class Node(TypedDict, total=False):
    name: Required[str]
    kids: list[Node]


class Chain(TypedDict):
    next: Chain | None


class Payloads:
    """Draws JSON values for an emitted schema: such as it names, and near misses of them."""

    def __init__(self, rng: random.Random, document: dict[str, Any]) -> None:
        self.random, self._document = rng, document

    def value(self, schema: Any, depth: int = 0) -> Any:
        """A value that likely fits."""
        rng = self.random
        if not isinstance(schema, dict) or not schema or depth > 8:
            return rng.choice(NEAR)
        if "$ref" in schema:
            return self.value(self._document["$defs"][schema["$ref"].rpartition("/")[2]], depth + 1)
        for key in ("anyOf", "enum"):
            if key in schema:
                one = rng.choice(schema[key])
                return self.value(one, depth + 1) if key == "anyOf" else one
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type")
        kind = rng.choice(kind) if isinstance(kind, list) else kind
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, depth)
        plain: dict[Any, list[Any]] = {"string": TEXTS, "null": [None], "boolean": [True, False]}
        if kind == "integer":
            return rng.choice([n for n in NUMBERS if not isinstance(n, float)])
        return copy.copy(rng.choice(plain.get(kind, NUMBERS)))

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        needed = schema.get("required", ())
        fields = schema.get("properties", {})
        made = {n: self.value(s, depth + 1) for n, s in fields.items() if n in needed or self.random.random() < 0.5}
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            for name in self.random.sample(["a", "b", "1", "x"], self.random.randrange(0, 3)):
                made[name] = self.value(more, depth + 1)
        return made

    def _array(self, schema: dict[str, Any], depth: int) -> list[Any]:
        first = [self.value(s, depth + 1) for s in schema.get("prefixItems", ())]
        rest = range(self.random.randrange(schema.get("minItems", 0) and 1, 3)) if "prefixItems" not in schema else ()
        return first + [self.value(schema.get("items", True), depth + 1) for _ in rest]

    def near(self, value: Any) -> Any:
        """The value with one thing changed, anywhere in it."""
        rng = self.random
        if rng.random() < 0.3 or not isinstance(value, dict | list) or not value:
            return rng.choice(list(NEAR)) if not isinstance(value, str) else rng.choice([value + "\n", 3, None])
        made = copy.deepcopy(value)
        key = rng.choice(list(made) if isinstance(made, dict) else range(len(made)))  # type: ignore[arg-type]
        pick = rng.random()
        if pick < 0.2:
            del made[key]
        elif pick < 0.4 and isinstance(made, dict):
            made[rng.choice([*NAMES, "other"])] = rng.choice(NEAR)
        elif pick < 0.4:
            made.append(rng.choice([*NEAR, copy.deepcopy(made[-1])]))
        else:
            made[key] = self.near(made[key])
        return made
