"""What an expression may be, as one file's text tells it: symbols, resolved later against the whole project.

A value never holds an object of the project, only what was written. Values are compared by identity: the same value
reaches many places, and that is what a flow is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

MAX_VALUES = 12  # alternatives of one expression; more of them are "unknown"
Values: TypeAlias = "tuple[Value, ...]"

KEEPING = frozenset(  # decorators that leave what a function returns as it is
    """staticmethod classmethod abstractmethod override cache lru_cache final schema_method contract subscribe publishes
    depends_on wraps fixture""".split()  # noqa: SIM905
)


@dataclass(frozen=True, eq=False, slots=True)
class Value:
    """Something an expression may be. `line` is where it was written."""

    line: int


@dataclass(frozen=True, eq=False, slots=True)
class Global(Value):
    """A name that the function does not bind: a class, a function, a module, a module's variable, a builtin."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Param(Value):
    """A parameter of the function `function` (qualified in its file), `self` included."""

    function: str
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Attr(Value):
    """`of.name`."""

    of: Values
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Item(Value):
    """`of["key"]`, `of.get("key")`, or one element of a tuple (`key` is its number). `soft`: it may be missing.

    `call`: the number of the call that asks for it, -1 for none. `of` may not be a dict, but an object with a `get`.
    """

    of: Values
    key: str | int
    soft: bool = False
    call: int = -1


@dataclass(frozen=True, eq=False, slots=True)
class Element(Value):
    """Any one element of `of`."""

    of: Values


@dataclass(frozen=True, eq=False, slots=True)
class CallResult(Value):
    """What a call gives back. `call` is its number in the file's list of calls."""

    call: int


@dataclass(frozen=True, eq=False, slots=True)
class Record(Value):
    """A dict made here. `fields` by key; `spreads` are what it takes in with `**`; `open`: more keys may be there."""

    fields: dict[str, Values] = field(default_factory=dict)
    spreads: tuple[Values, ...] = ()
    open: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class TupleValue(Value):
    """A tuple whose elements are known one by one."""

    elements: tuple[Values, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class CollectionValue(Value):
    """A list, set or generator of such elements."""

    elements: Values = ()


@dataclass(frozen=True, eq=False, slots=True)
class Const(Value):
    """A literal."""

    value: str | int | float | bool | bytes | complex | None


@dataclass(frozen=True, eq=False, slots=True)
class ComputedValue(Value):
    """Made from these values, by an operator or a format: it carries their meaning, not their type."""

    of: Values = ()


@dataclass(frozen=True, eq=False, slots=True)
class MutatedValue(Value):
    """`of`, after something may have been stored in it: by the call of that number, -1 for by this code itself."""

    of: Values
    call: int = -1


@dataclass(frozen=True, eq=False, slots=True)
class SliceValue(Value):
    """`of[1:]`: a part of it, so another value, of the same elements."""

    of: Values


@dataclass(frozen=True, eq=False, slots=True)
class ContextValue(Value):
    """What `with of as …` binds: what `__enter__` or, with `async with`, `__aenter__` gives."""

    of: Values
    by: str


@dataclass(frozen=True, eq=False, slots=True)
class AnnotatedValue(Value):
    """A value of which only a written type is known (`x: Load`), as text."""

    annotation: str


@dataclass(frozen=True, eq=False, slots=True)
class Unknown(Value):
    """What nobody can tell, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call as written. `function` is what is called; `inside` the qualified name of the function that holds it."""

    inside: str
    function: Values
    args: tuple[Values, ...]  # by position, up to the first `*list`
    keywords: dict[str, Values]
    spreads: tuple[Values, ...]  # of `**mapping`
    starred: bool  # a `*list` hides the rest of the positions
    line: int
    column: int
    end_line: int
    end_column: int
    guarded: bool = False  # it stands under a condition, or after one that may have ended the function
    caught: bool = False  # code around it goes on where the call cannot be made: that it is written proves nothing


@dataclass(frozen=True, slots=True)
class Store:
    """`of["key"] = …`, `of.key = …`, `of.update(key=…)`: what `of` holds is another value from then on.

    `key` is None where the text does not tell it. `inside`: the qualified name of the function that does it.
    """

    of: Values
    key: str | None
    inside: str
    line: int
    value: Values = ()  # what is put there, where one value is


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as written: its kind as in `inspect`, its type as text."""

    name: str
    kind: str
    annotation: str | None
    default: Values = ()


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a signature stand, as lines and columns in bytes: what a type is written into needs no tree.

    `hint`: the type of what it returns, from and to; `ends` of the parameters, in their order; `last`: where the last
    thing in the parentheses ends; `body`: the line of the first statement.
    """

    start: tuple[int, int]
    hint: tuple[int, int, int, int] | None
    ends: tuple[tuple[int, int], ...]
    last: tuple[int, int] | None
    body: int


@dataclass(slots=True)
class Function:
    """A function or method of a file, read once. Its results are what it returns or yields."""

    name: str
    cls: str  # the qualified name of the class whose body holds it; empty for none
    line: int
    parameters: tuple[Parameter, ...]
    annotation: str | None  # of what it returns
    decorators: tuple[str, ...]
    places: Places
    returns: Values = ()
    yields: Values = ()
    is_async: bool = False
    changes: set[str] = field(default_factory=set)  # parameters in which it stores something

    @property
    def words(self) -> list[str]:
        """The last words of its decorators."""
        return [d.rpartition(".")[2] for d in self.decorators]

    @property
    def is_wrapped(self) -> bool:
        """Whether a decorator may make something else of what it takes or returns."""
        return any(word not in KEEPING and word != "property" for word in self.words)


@dataclass(slots=True)
class Class:
    """A class of a file. `attributes`: names set in its body; `hints`: annotated there; `stored`: `self.name = …`."""

    name: str
    line: int
    bases: tuple[str, ...]
    methods: dict[str, str] = field(default_factory=dict)  # name -> qualified name of the function
    attributes: dict[str, Values] = field(default_factory=dict)
    hints: dict[str, str] = field(default_factory=dict)
    stored: dict[str, Values] = field(default_factory=dict)
    decorators: tuple[str, ...] = ()
    inner: dict[str, str] = field(default_factory=dict)
    metaclass: str = ""

    @property
    def is_enum(self) -> bool:
        """Whether its attributes are its own instances."""
        return any(base.endswith(("Enum", "Flag")) for base in self.bases)


@dataclass(slots=True)
class Facts:
    """What one file says. `imports`: name -> (module, attribute or None), one for each import that binds it otherwise.

    `stars`: modules imported whole.
    """

    path: str
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)
    imports: dict[str, list[tuple[str, str | None]]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    variables: dict[str, Values] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)  # qualified names that are defined twice: nobody tells which counts
    puts: list[Store] = field(default_factory=list)  # `of.append(value)`, without a key
    problem: str = ""  # why the file could not be read


def join_values(*many: Values) -> Values:
    """The alternatives of several, each once."""
    alternatives = tuple(dict.fromkeys(value for some in many for value in some))
    if len(alternatives) > MAX_VALUES:
        return (Unknown(alternatives[0].line, f"more than {MAX_VALUES} values could be meant"),)
    return alternatives
