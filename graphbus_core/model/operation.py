"""The operations of a structured diff (design §7): what an agent may ask to be changed, addressed by symbol.

An operation carries no text anchors. It names `node`, and where it applies `method` or `topic`, `side` and `field`.

    node     the class, by the name of its AgentDefinition
    side     "input" or "output" of a method; "payload" of a topic
    field    a path in the contract: `qty`; `item.price` (nested object); `headlines[].title` (objects in a list)
    type     a Python annotation as text: `str`, `list[dict[str, Any]]`, `Literal["a", "b"]`

A body or a method travels as plain text, unindented; whoever applies it indents it. This module only names
the operations: `build.commit` applies them to source, `contracts` applies them to contracts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

from graphbus_core.errors import UsageError

SIDES = ("input", "output", "payload")


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One step of a structured diff. Subclasses say what it does, and their word in diffs and logs: `op`."""

    op: ClassVar[str] = ""
    of_method: ClassVar[bool] = False  # whether it makes no sense without a method
    node: str
    method: str | None = None
    topic: str | None = None

    def __init_subclass__(cls, *, op: str) -> None:
        cls.op = op

    def to_dict(self) -> dict[str, Any]:
        """The canonical form: `{"op": "add_field", …}`; what is None is left out."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        # What is None says nothing, and left out it makes the same diff the same text.
        return {"op": self.op, **{k: v for k, v in values.items() if v is not None}}

    @property
    def symbol(self) -> str:
        """The symbol whose digest this operation rests on: `Node.method`, `Node -> /Topic` or `Node`."""
        if self.method:
            return f"{self.node}.{self.method}"
        return f"{self.node} -> {self.topic}" if self.topic else self.node


@dataclass(frozen=True, kw_only=True)
class FieldOperation(Operation, op=""):  # what five operations are made of, and none itself
    """An operation on one field of one side of a contract. It carries no code."""

    side: str
    field: str

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise UsageError(f"{self.op}: side is {self.side!r}; use one of {', '.join(SIDES)}.")
        # A payload belongs to a topic and the other two sides to a method. Mixed, the address would name nothing.
        if (self.side == "payload") != (self.topic is not None) or (self.method is None) == (self.topic is None):
            raise UsageError(
                f"{self.op} on {self.node}: name a method with side input or output, or a topic with payload."
            )

    @property
    def address(self) -> str:
        """`Node.method.output.field`, in full."""
        return f"{self.symbol}.{self.side}.{self.field}"


@dataclass(frozen=True, kw_only=True)
class AddField(FieldOperation, op="add_field"):
    """Add a field. `default` is an expression: what an added parameter or literal return gets (None: by type)."""

    type: str
    optional: bool = False
    description: str | None = None
    default: str | None = None


@dataclass(frozen=True, kw_only=True)
class RemoveField(FieldOperation, op="remove_field"):
    """Remove a field, and its uses where they can be followed with certainty."""


@dataclass(frozen=True, kw_only=True)
class RetypeField(FieldOperation, op="retype_field"):
    """Give a field another type."""

    type: str


@dataclass(frozen=True, kw_only=True)
class SetOptional(FieldOperation, op="set_optional"):
    """Make a field optional, or required."""

    optional: bool
    default: str | None = None


@dataclass(frozen=True, kw_only=True)
class RenameField(FieldOperation, op="rename_field"):
    """Rename a field and follow it. `to` is the last segment's new name."""

    to: str


@dataclass(frozen=True, kw_only=True)
class ReplaceBody(Operation, op="replace_body"):
    """Replace the body of a method; its decorators and signature stay."""

    of_method: ClassVar[bool] = True
    body: str


@dataclass(frozen=True, kw_only=True)
class AddMethod(Operation, op="add_method"):
    """Add a method, given whole with its decorators, at the end of the class."""

    of_method: ClassVar[bool] = True
    source: str


@dataclass(frozen=True, kw_only=True)
class DeleteMethod(Operation, op="delete_method"):
    """Delete a method with its decorators."""

    of_method: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class RenameMethod(Operation, op="rename_method"):
    """Rename a method and follow it."""

    of_method: ClassVar[bool] = True
    to: str


@dataclass(frozen=True, kw_only=True)
class AddImport(Operation, op="add_import"):
    """Add one import statement to the node's file."""

    statement: str


@dataclass(frozen=True, kw_only=True)
class RemoveImport(Operation, op="remove_import"):
    """Remove one import statement from the node's file."""

    statement: str


@dataclass(frozen=True, kw_only=True)
class EditText(Operation, op="edit"):  # the word that agents were taught
    """A small change inside a long method: `old` stands in its body exactly once and becomes `new`."""

    of_method: ClassVar[bool] = True
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Define(Operation, op="define"):
    """Add or replace one function, constant, type or class beside the node's class, at the level of its module."""

    name: str
    source: str


@dataclass(frozen=True, kw_only=True)
class RemoveDefinition(Operation, op="remove_definition"):
    """Remove what `define` adds, where nothing uses it any more."""

    name: str


@dataclass(frozen=True, kw_only=True)
class SetAttribute(Operation, op="set_attribute"):
    """Give a class attribute a value, or another one; `value` is a plain expression, `type` its annotation."""

    name: str
    value: str
    type: str | None = None


@dataclass(frozen=True, kw_only=True)
class SetDocstring(Operation, op="set_docstring"):
    """Give the class, or one of its methods, a docstring; an empty one takes it away."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Decorate(Operation, op="decorate"):
    """Put `@publishes(…)`, `@subscribe(…)` or `@depends_on(…)` on the class or a method."""

    decorator: str


@dataclass(frozen=True, kw_only=True)
class Undecorate(Operation, op="undecorate"):
    """Take such a decorator off; it is named as it is written, spaces and quotes apart."""

    decorator: str


@dataclass(frozen=True, kw_only=True)
class _OnLink(Operation, op=""):  # what two operations are made of, and none itself
    """An operation on what a method takes of one topic, or of one `producer` (`Node.method`) that it depends on.

    `field` is one of the method's own.
    """

    of_method: ClassVar[bool] = True
    field: str
    producer: str | None = None

    def __post_init__(self) -> None:
        if not self.method or (self.topic is None) == (self.producer is None):
            raise UsageError(
                f"{self.op} on {self.node}: name the method, and either the topic that it hears or the producer "
                "(Node.method) that it depends on."
            )

    @property
    def decorator(self) -> tuple[str, str]:
        """The decorator that carries the mapping: its word, and what it names."""
        return ("subscribe", self.topic) if self.topic is not None else ("depends_on", str(self.producer))


@dataclass(frozen=True, kw_only=True)
class MapField(_OnLink, op="map_field"):
    """Let a method take the producer's field `source` as its own `field`; `convert` names a function that makes it."""

    source: str
    convert: str | None = None


@dataclass(frozen=True, kw_only=True)
class UnmapField(_OnLink, op="unmap_field"):
    """Take such a mapping back."""


@dataclass(frozen=True, kw_only=True)
class AddFile(Operation, op="add_file"):
    """Add a Python file beside the node's own, or under `tests/`."""

    path: str
    source: str


@dataclass(frozen=True, kw_only=True)
class WriteTest(Operation, op="write_test"):
    """Add tests to a test file of the project, which is made where it is missing, or replace those of the same name."""

    path: str
    source: str


@dataclass(frozen=True, kw_only=True)
class AddAgent(Operation, op="add_agent"):
    """Add a node: its class, whole, in a file of its own, with the imports that it needs."""

    path: str
    source: str


@dataclass(frozen=True, kw_only=True)
class RemoveAgent(Operation, op="remove_agent"):
    """Remove a node's class. Its file stays, with whatever else stands in it."""


# From the classes, because a list beside them is forgotten.
OPERATIONS: dict[str, type[Operation]] = {
    cls.op: cls for cls in list(globals().values()) if isinstance(cls, type) and issubclass(cls, Operation) and cls.op
}
FILES = (AddFile, WriteTest, AddAgent)  # those that may write a file that is not the node's own


def build_operation_schemas() -> list[dict[str, Any]]:
    """The form of every operation, as JSON Schemas: which keys it takes, and which it needs."""
    return [_build_schema(cls) for cls in OPERATIONS.values()]


def _build_schema(cls: type[Operation]) -> dict[str, Any]:
    """One operation's. What `parse_operation` says beside it (a method or a topic) is left to its sentence."""
    is_field = issubclass(cls, FieldOperation)
    needed = [f.name for f in fields(cls) if f.default is MISSING]
    taken: dict[str, Any] = {f.name: {"type": "boolean" if f.name == "optional" else "string"} for f in fields(cls)}
    if is_field:
        taken["side"] = {"enum": list(SIDES)}
    else:
        if not issubclass(cls, _OnLink):
            taken.pop("topic")
        if not cls.of_method and cls is not SetDocstring and cls not in (Decorate, Undecorate):
            taken.pop("method")
    return {
        "type": "object",
        "properties": {"op": {"const": cls.op}, **taken},
        "required": ["op", *needed, *["method"] * cls.of_method],
        "additionalProperties": False,
    }


def parse_operation(data: Mapping[str, Any]) -> Operation:
    """Read one operation from its canonical form. Raises UsageError that names what is wrong."""
    cls = OPERATIONS.get(str(data.get("op")))
    if cls is None:
        raise UsageError(f"unknown operation {data.get('op')!r}; known are {', '.join(OPERATIONS)}.")
    # Null is what models write for "not given", also where a value is needed; the sentence below then names it.
    arguments = {
        k: v for k, v in data.items() if k != "op" and v is not None
    }  # null is what was left out, also if needed
    field_names = {f.name for f in fields(cls)}
    # Refused and not dropped: a misspelt `optional` would otherwise make a field required.
    if unknown := sorted(set(arguments) - field_names):
        raise UsageError(f"{cls.op} takes no {', '.join(unknown)}; it takes {', '.join(sorted(field_names))}.")
    for name, value in arguments.items():
        wants_bool = name == "optional"
        if not isinstance(value, bool if wants_bool else str):
            raise UsageError(f"{cls.op}: {name} must be {'true or false' if wants_bool else 'text'}, not {value!r}.")
    try:
        parsed = cls(**arguments)
    except TypeError as e:
        # Python's own message names what is missing, at its end.
        missing = str(e).rsplit(":", 1)[-1].strip()
        raise UsageError(f"{cls.op} is incomplete: {missing} missing.") from None
    if parsed.of_method and not parsed.method:
        raise UsageError(f"{cls.op} on {parsed.node}: name the method.")
    return parsed


def parse_operations(data: Sequence[Mapping[str, Any]]) -> tuple[Operation, ...]:
    """Read a whole diff in its canonical form."""
    return tuple(parse_operation(row) for row in data)
