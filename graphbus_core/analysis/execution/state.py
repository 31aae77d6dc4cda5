"""What a program holds while it is interpreted: values, and a store of what lies where. It knows no syntax.

A value that a component gave is an opaque object: nobody knows what is in it, but each part of it has an address (its
origin). So a value can be carried about, taken apart and put together, and still be known for what it is; whatever is
made of it is `Unknown`, with the origins that went in. Where code may go two ways both are run, each in a layer of the
store, and what differs afterwards is a `Choice`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from graphbus_core.analysis.execution.interpreter import Interpreter
    from graphbus_core.model.agent_def import AgentDefinition

MAX_OPTIONS = 12  # of one choice; more of them are unknown
MAX_TAINT_DEPTH = 8  # objects in objects that are looked through for origins


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was born: the result of one call (`number`) of a component's method, and the keys down from it."""

    component: str
    method: str
    keys: tuple[str, ...] = ()
    number: int = 0

    @property
    def address(self) -> tuple[str, str, tuple[str, ...]]:
        """The same, whichever call it was."""
        return self.component, self.method, self.keys


@dataclass(frozen=True, slots=True)
class Const:
    """A literal. `kind` keeps 1, 1.0 and True apart."""

    value: object
    kind: str


@dataclass(frozen=True, slots=True)
class Ref:
    """An object of the store."""

    number: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """What nobody can tell: a name from outside (`json.dumps`), or something made of `origins`."""

    name: str = ""
    origins: frozenset[Origin] = frozenset()


@dataclass(frozen=True, slots=True)
class Bound:
    """A method with its object. `word`: its name, where it is still the one that the class's text gives it."""

    function: Value
    receiver: Value
    word: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """What a library makes: `partial(f, x)`, `itemgetter("a")`, a future. `kind` says which."""

    kind: str
    parts: tuple[Value, ...] = ()
    named: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values, by the way that was gone."""

    options: tuple[Value, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """A function of the project. `frame` is what stands around it; `cls` the class whose body holds it, else 0."""

    node: object
    path: str
    frame: int
    cls: int = 0
    defaults: Mapping[str, Value] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()  # decorators that leave it as it is: staticmethod, property, fixture, …


Value: TypeAlias = "Const | Ref | Unknown | Bound | Made | Choice | Function"
MISSING = Unknown("<missing>")
NONE = Const(None, "NoneType")
NOTHING_KNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Items:
    """What a list or tuple holds: elements in their order, and `rest`, what any number of further ones may be."""

    values: tuple[Value, ...] = ()
    rest: Value | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """What a mapping holds: values by key (`MISSING`: taken out), else what lies in `bases`, the last one first.

    `rest`: what may lie under keys that nobody can tell.
    """

    fields: Mapping[Any, Value] = field(default_factory=dict)
    bases: tuple[int, ...] = ()
    rest: Value | None = None


Content: TypeAlias = "Value | Items | Fields"
Cell = tuple[int, str]
INSIDE = "#"  # the cell of a container's content


@dataclass(frozen=True, slots=True)
class Thing:
    """What an object of the store is, once and for all. `cls` is its class, by number."""

    kind: str  # dict, list, tuple, opaque, instance, class, module, frame
    cls: int = 0
    origin: Origin | None = None
    name: str = ""
    path: str = ""

    def is_like(self, other: Thing) -> bool:
        """Whether both could be the same thing of two rounds."""
        here, there = self.origin, other.origin
        same = (self.kind, self.cls, self.name) == (other.kind, other.cls, other.name)
        return same and (here.address if here else None) == (there.address if there else None)


class Store:
    """Cells in layers: a way that code may go writes into a layer of its own."""

    def __init__(self) -> None:
        self.things: list[Thing] = [Thing("nothing")]
        self.layers: list[dict[Cell, Content]] = [{}]
        self._parts: dict[tuple[int, str], Ref] = {}
        self._names: dict[int, dict[str, None]] = {}
        self._again: Iterator[Ref] | None = None  # what this round of a loop makes is what an earlier one made
        self._added: list[list[Ref]] = []
        self.looked_at: set[Cell] | None = None  # the cells that were read, while somebody wants to know
        self.looked_inside: set[Cell] = set()  # those that a component's own body read meanwhile

    # ---- cells

    def add(self, thing: Thing, content: Content | None = None) -> Ref:
        """A new object; in a further round of a loop the one that stood for it in the first."""
        ref = self._find_again(thing)
        if ref is None:
            self.things.append(thing)
            ref = Ref(len(self.things) - 1)
        for added in self._added:
            added.append(ref)
        if content is not None:
            self.layers[-1][ref.number, INSIDE] = content
        return ref

    def _find_again(self, thing: Thing) -> Ref | None:
        ref = next(self._again, None) if self._again is not None else None
        if ref is not None and self.things[ref.number].is_like(thing):
            return ref
        self._again = None
        return None

    @contextmanager
    def record_additions(self, again: list[Ref] | None) -> Iterator[list[Ref]]:
        """One round of a loop that nobody can count. `again`: what the first round made, in its order."""
        was = self._again
        if again is not None:
            self._again = iter(again)
        added: list[Ref] = []
        self._added.append(added)
        try:
            yield added
        finally:
            self._added.pop()
            self._again = was if again is not None else self._again

    def read(self, number: int, name: str) -> Content | None:
        """What lies in a cell."""
        if self.looked_at is not None:
            self.looked_at.add((number, name))
        for layer in reversed(self.layers):
            if (number, name) in layer:
                return layer[number, name]
        return None

    def write(self, number: int, name: str, content: Content) -> None:
        """Put something into a cell."""
        self.layers[-1][number, name] = content
        self._names.setdefault(number, {})[name] = None

    def list_names(self, number: int) -> list[str]:
        """The names of an object's cells, in the order in which they were made."""
        return [name for name in self._names.get(number, ()) if self.read(number, name) is not None]

    def merge(self, ends: list[dict[Cell, Content]]) -> None:
        """Go on from several ways: what differs between them is a choice."""
        for cell in dict.fromkeys(cell for end in ends for cell in end):
            self.write(*cell, self.join_ends(cell, ends))

    def join_ends(self, cell: Cell, ends: list[dict[Cell, Content]]) -> Content:
        """What a cell holds after one of several ways; where it was not made yet, its object was not there either."""
        was = self.read(*cell)
        if was is None and self.things[cell[0]].kind in ("frame", "module"):
            was = MISSING
        return join_contents([c for c in (end.get(cell, was) for end in ends) if c is not None])

    @contextmanager
    def look_inside(self) -> Iterator[None]:
        """What is read meanwhile is a component's own matter: a test that asks it does not look there itself."""
        was = self.looked_at
        self.looked_at = set() if was is not None else None
        try:
            yield
        finally:
            self.looked_inside |= self.looked_at or set()
            self.looked_at = was

    # ---- what lies in an object

    def inside(self, ref: Ref) -> Content | None:
        """The content of a container; of an opaque object the fields that were laid over it."""
        content = self.read(ref.number, INSIDE)
        if content is None and self.things[ref.number].kind == "opaque":
            return Fields(bases=(ref.number,))
        return content

    def find_part(self, number: int, key: str) -> Ref:
        """The part of an opaque object that lies under a key: the same object each time."""
        if (number, key) not in self._parts:
            origin = self.things[number].origin
            assert origin is not None
            self.things.append(Thing("opaque", origin=replace(origin, keys=(*origin.keys, key))))
            self._parts[number, key] = Ref(len(self.things) - 1)
        return self._parts[number, key]

    def is_untouched(self, number: int) -> bool:
        """Whether nothing was stored in an opaque object, or in any part of it that was looked at."""
        if self.read(number, INSIDE) is not None:
            return False
        return all(self.is_untouched(part.number) for (of, _), part in self._parts.items() if of == number)

    def collect_origins(self, values: Iterable[Value], depth: int = 0) -> frozenset[Origin]:
        """Every origin that went into values, or lies in them."""
        origins: set[Origin] = set()
        for value in values:
            match value:
                case Unknown(origins=some):
                    origins |= some
                case Choice(options=options):
                    origins |= self.collect_origins(options, depth)
                case Made(parts=parts, named=named):
                    origins |= self.collect_origins([*parts, *(v for _, v in named)], depth + 1)
                case Bound(receiver=receiver):
                    origins |= self.collect_origins([receiver], depth + 1)
                case Ref(number=number) if depth < MAX_TAINT_DEPTH:
                    origins |= self._collect_object_origins(number, depth)
        return frozenset(origins)

    def _collect_object_origins(self, number: int, depth: int) -> frozenset[Origin]:
        thing = self.things[number]
        if thing.kind not in ("dict", "list", "tuple", "opaque", "instance"):
            return frozenset()
        own = frozenset({thing.origin}) if thing.origin is not None else frozenset()
        inner: list[Content | None] = []
        inner += [] if thing.kind != "instance" else [self.read(number, n) for n in self.list_names(number)]
        match self.read(number, INSIDE):
            case Items(values=values, rest=rest):
                inner += [*values, rest]
            case Fields(fields=fields, bases=bases, rest=rest):
                inner += [*fields.values(), rest, *(Ref(base) for base in bases if base != number)]
        return own | self.collect_origins([v for v in inner if is_value(v)], depth + 1)


def is_value(content: Content | None) -> TypeGuard[Value]:
    """Whether it is a value: no content of a container, and not nothing."""
    return content is not None and not isinstance(content, Items | Fields)


def list_options(value: Value | None) -> tuple[Value, ...]:
    """The values that a value may be."""
    if value is None:
        return ()
    return value.options if isinstance(value, Choice) else (value,)


def join(*values: Value | None) -> Value:
    """One of these."""
    options = tuple(dict.fromkeys(option for value in values for option in list_options(value)))
    if not options:
        return NOTHING_KNOWN
    if len(options) > MAX_OPTIONS:
        some = (option.origins for option in options if isinstance(option, Unknown))
        return Unknown("too many", frozenset(origin for origins in some for origin in origins))
    return options[0] if len(options) == 1 else Choice(options)


def join_contents(contents: list[Content]) -> Content:
    first = contents[0]
    if all(content is first or content == first for content in contents):
        return first
    if all(isinstance(c, Items) for c in contents):
        return _join_items([c for c in contents if isinstance(c, Items)])
    if any(isinstance(c, Fields) for c in contents):
        return join_fields([c if isinstance(c, Fields) else Fields() for c in contents])
    return join(*(c for c in contents if is_value(c)))


def _join_items(items: list[Items]) -> Items:
    if len({len(i.values) for i in items}) == 1:
        values = tuple(join(*some) for some in zip(*(i.values for i in items), strict=True))
        rests = [i.rest for i in items if i.rest is not None]
        return Items(values, join(*rests) if rests else None)
    return Items((), join(*(v for i in items for v in (*i.values, i.rest))))


def join_fields(some: list[Fields]) -> Fields:
    if len({f.bases for f in some}) > 1:  # laid over different things: nobody tells what lies beside the fields
        return Fields({}, (), join(Unknown("one of several"), *(v for f in some for v in (*f.fields.values(), f.rest))))
    keys = dict.fromkeys(key for f in some for key in f.fields)
    rests = [f.rest for f in some if f.rest is not None]
    fields = {key: join(*(f.fields.get(key, _default_of(f, key)) for f in some)) for key in keys}
    return Fields(fields, some[0].bases, join(*rests) if rests else None)


BASE = Unknown("<as in the base>")  # under a key that only one way wrote to: on the other one what lay there before


def _default_of(fields: Fields, key: object) -> Value:
    return BASE if fields.bases else MISSING


def iter_present(value: Value | None) -> Iterator[Value]:
    """The options that are something."""
    return (option for option in list_options(value) if option is not MISSING and option != MISSING)


# What a call is given, what runs, and who is told.


@dataclass
class Arguments:
    """What a call is given. `rest`: any number of further positions; `spreads`: mappings whose keys nobody can tell."""

    positions: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    rest: Value | None = None
    spreads: list[Value] = field(default_factory=list)

    def list_values(self) -> list[Value]:
        more = [self.rest] if self.rest is not None else []
        return [*self.positions, *self.keywords.values(), *more, *self.spreads]


@dataclass
class Frame:
    """A call under way. `number`: its names in the store; `around`: the frames whose names it sees, nearest first."""

    number: int
    path: str
    around: tuple[int, ...] = ()
    returned: Value | None = None
    yielded: Value | None = None
    yields: tuple[Value, ...] = ()
    outer_names: dict[str, int] | None = None  # declared global or nonlocal -> whose they are
    function: Function | None = None
    cls: int = 0  # the class whose body it is
    line: int = 0  # of the statement that is run


@dataclass(frozen=True, slots=True)
class Publication:
    """An event that a component sends: what it gives, to a topic that it says it publishes."""

    component: str
    topic: str
    payload: Value


class Observer(Protocol):
    """Who is told what is seen, and knows the contracts."""

    def list_names(self, run: Interpreter, number: int, sure: bool = False) -> tuple[str, ...] | None: ...
    def see_call(
        self, run: Interpreter, agent: AgentDefinition, method: str, given: dict[str, Value], taken: bool, number: int
    ) -> None: ...
    def see_assertion(self, run: Interpreter, values: list[Value], equal: bool) -> None: ...
    def is_boolean(self, run: Interpreter, value: Value) -> bool: ...
    def is_never_none(self, run: Interpreter, value: Value) -> bool: ...
    def see_read(self, run: Interpreter, container: Value, key: object, result: Value) -> None: ...
    def see_property(self, run: Interpreter, getter: Function, name: str, result: Value) -> None: ...
    def see_outside(self, run: Interpreter, name: str, args: Arguments) -> None: ...
    def see_publication(self, run: Interpreter, publication: Publication) -> None: ...
