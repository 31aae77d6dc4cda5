"""What a value is: an object of which class, which function, or nobody knows. Bounded, memoised, nothing is run.

A question that comes back to itself (`s = s.replace(…)`) adds nothing to its own answer, so that no chain of calls
grows with the number of its ways.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from graphbus_core.build.understand.index import (
    Above,
    Box,
    Code,
    Dark,
    Index,
    Kind,
    Module,
    Named,
    Outside,
    Thing,
    Type,
    alias_of,
    computed_of,
    element_of,
    elements_of,
    parsed,
)
from graphbus_core.build.understand.text.expressions import COPYING
from graphbus_core.build.understand.text.values import (
    Attr,
    Call,
    Called,
    Computed,
    Const,
    Element,
    Function,
    Global,
    Hinted,
    Item,
    Listing,
    Param,
    Record,
    Several,
    Touched,
    Unknown,
    Value,
    Values,
)

Given = Callable[[str, str, str], "list[tuple[str, Values]]"]  # file, function, parameter -> what calls give it

MAX_KINDS = 8
MAX_DEPTH = 40
MAX_STEPS = 100_000  # after so many, answers inside of circles are kept as they are
CONTAINERS = frozenset(
    """list dict set frozenset tuple List Dict Set Tuple Sequence Mapping MutableMapping Iterable Iterator Collection
    MutableSequence defaultdict deque Generator AsyncIterator AsyncGenerator""".split()  # noqa: SIM905
)
WRAPPERS = frozenset(
    {"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable", "Coroutine"}
)
KEEPING = frozenset(  # decorators that leave what a function returns as it is
    """staticmethod classmethod abstractmethod override cache lru_cache final schema_method contract subscribe publishes
    depends_on wraps fixture""".split()  # noqa: SIM905
)


class Objects:
    """Resolves the values of every file against the whole project."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.nodes: dict[str, Kind] = {}  # what `get_node("Cleaner")` gives, by the name
        self.given: Given | None = None  # tells what unannotated parameters are
        self.doubts_hints = False  # nothing holds code to its hints: who edits by them looks at what is given as well
        self._reads = index.facts.reads
        self._known: dict[int, tuple[tuple[Kind, ...], frozenset[str]]] = {}
        self._asked: set[int] = set()
        self._met: set[int] = set()  # questions that came back while they were being asked: what saw them is not kept
        self._steps = 0
        self._keep: list[Value] = []  # values are known by identity: they must outlive the memo

    def of(self, path: str, values: Values, depth: int = 0) -> tuple[Kind, ...]:
        """What values may be; empty where nothing was written that tells (or only None)."""
        found: dict[Kind, None] = {}
        for value in values:
            for kind in self._value(path, value, depth):
                found[kind] = None
        if len(found) > MAX_KINDS:
            return (Dark(f"more than {MAX_KINDS} kinds of object"),)
        return tuple(found)

    def _value(self, path: str, value: Value, depth: int) -> tuple[Kind, ...]:
        key = id(value)
        known = self._known.get(key)
        if known is not None:
            self._reads.rest(known[1])
            return known[0]
        if key in self._asked:
            self._met.add(key)
            return ()
        if depth > MAX_DEPTH:
            self._reads.rest(None)
            return (Dark(f"{path}:{value.line} is more than {MAX_DEPTH} steps away"),)
        self._asked.add(key)
        self._steps += 1
        self._reads.begin()
        found = self._resolved(path, value, depth + 1)
        if self._steps > MAX_STEPS:
            self._reads.rest(None)
        reads = self._reads.end()
        self._asked.discard(key)
        self._met.discard(key)
        if not self._met or self._steps > MAX_STEPS:
            self._known[key] = found, reads
            self._keep.append(value)
        return found

    def _resolved(self, path: str, value: Value, depth: int) -> tuple[Kind, ...]:
        match value:
            case Global(name=name):
                return self._named(self.index.look_up(path, name), f"{path}:{value.line}: `{name}`", depth)
            case Param(function=function, name=name):
                return self._parameter(path, function, name, depth)
            case Attr(of=of, name=name):
                return self._each(self.of(path, of, depth), lambda kind: self.member(kind, name, depth))
            case Item() | Element() | Called():
                return self._given_by(path, value, depth)
            case Const(value=None):
                return ()
            case Const(value=literal):
                return (Outside(f"builtins.{type(literal).__name__}"),)
            case Record() | Several():
                parts = value.fields.values() if isinstance(value, Record) else value.elements
                inner = [self.of(path, v, depth) for v in parts]
                return (Box(tuple(dict.fromkeys(k for kinds in inner for k in kinds))[:MAX_KINDS]),)
            case Listing(elements=elements):
                return (Box(self.of(path, elements, depth)),)
            case Touched(of=of):
                return self.of(path, of, depth)
            case Computed(of=of):
                return self._each(self.of(path, of, depth), lambda kind: computed_of(kind, f"{path}:{value.line}"))
            case Hinted(annotation=annotation):
                return self.annotated(path, annotation, depth)
            case Unknown(why=why):
                return (Dark(f"{path}:{value.line}: {why}"),)
        return (Dark(f"{path}:{value.line}"),)

    def _given_by(self, path: str, value: Item | Element | Called, depth: int) -> tuple[Kind, ...]:
        """What a key, an element or a call gives. `x.get("k")` is a look-up unless the project's class means a call."""
        if isinstance(value, Called):
            call = self.index.facts[path].calls[value.call]
            if (known := self._by_word(path, call)) is not None:
                return (known,)
            match call.function:
                case (Attr(of=of, name=word),) if word in COPYING:
                    kinds = self.of(path, of, depth)
                    return self._each(kinds, lambda kind: self._asked_for(kind, word, lambda k: (k,), depth))
            return self._each(self.of(path, call.function, depth), lambda kind: self.given_back(kind, depth))
        kinds = self.of(path, value.of, depth)
        if isinstance(value, Element) or value.call < 0:
            return self._each(kinds, element_of)
        word = getattr(self.index.facts[path].calls[value.call].function[0], "name", "")
        return self._each(kinds, lambda kind: self._asked_for(kind, word, element_of, depth))

    def _asked_for(
        self, kind: Kind, word: str, else_: Callable[[Kind], tuple[Kind, ...]], depth: int
    ) -> tuple[Kind, ...]:
        """What `x.get("k")` or `x.copy()` gives: by the project's own method of that name, else as of a dict."""
        if isinstance(kind, Thing | Type | Module | Above):
            own = [one for one in self.member(kind, word, depth) if isinstance(one, Code)]
            if own:
                return self._each(own, lambda one: self.given_back(one, depth))
        return else_(kind)

    def _by_word(self, path: str, call: Call) -> Kind | None:
        """`super()`, and `bus.get_node("Cleaner")`."""
        match call.function:
            case (Global(name="super"),) if not call.args:
                function = self.index.facts[path].functions.get(call.inside)
                return Above(path, function.cls) if function is not None and function.cls else None
            case (Attr(name="get_node"),):
                match call.args:
                    case ((Const(value=str() as name),), *_):
                        return self.nodes.get(name)
        return None

    def _each(self, kinds: Iterable[Kind], ask: Callable[[Kind], tuple[Kind, ...]]) -> tuple[Kind, ...]:
        found: dict[Kind, None] = {}
        for kind in kinds:
            for one in ask(kind):
                found[one] = None
        return tuple(found)

    def _named(self, found: Named | None, where: str, depth: int) -> tuple[Kind, ...]:
        if found is None:
            return (Dark(f"{where} is not known"),)
        if isinstance(found, tuple):
            return self.of(found[0], found[1], depth)
        return (found,)

    # ---- members

    def member(self, kind: Kind, name: str, depth: int = 0) -> tuple[Kind, ...]:
        """`kind.name`."""
        match kind:
            case Module():
                return self._named(self.index.inside(kind, name), f"{kind.name}.{name}", depth)
            case Outside(name=dotted):
                return (Outside(f"{dotted}.{name}"),)
            case Box():
                return (Outside(f"container.{name}"),)
            case Thing() | Type():
                return self._of_class(kind, name, depth)
            case Above(path=path, name=cls):
                return self._of_class(Thing(path, cls), name, depth, 1)
            case Code():
                return (Outside(f"function.{name}"),)
        return (kind,)

    def _of_class(self, kind: Thing | Type, name: str, depth: int, skip: int = 0) -> tuple[Kind, ...]:
        open_base = False
        for at in self.index.family(kind.path, kind.name)[skip:]:
            if at is None:
                open_base = True
                continue
            cls = self.index.cls(*at)
            if cls is None:
                continue
            if name in cls.methods:
                code = Code(at[0], cls.methods[name], kind)
                function = self.index.function(code)
                if function is not None and {"property", "cached_property"} & set(_words(function)):
                    return self.given_back(code, depth)
                return (code,)
            if name in cls.inner:
                return (Type(at[0], cls.inner[name]),)
            if name in cls.hints:
                hinted = self.annotated(at[0], cls.hints[name], depth)
                stored = (*cls.stored.get(name, ()), *cls.attributes.get(name, ()))
                if any(not isinstance(k, Dark) for k in hinted):
                    return self._doubted(hinted, [(at[0], stored)], depth)
            stored = (*cls.stored.get(name, ()), *cls.attributes.get(name, ()))
            if stored:
                return self.of(at[0], stored, depth) or (Dark(f"`{kind.name}.{name}` is only known to be None"),)
        why = "a base class outside the project may define it" if open_base else "no class of its family defines it"
        return (Dark(f"`{kind.name}.{name}`: {why}"),)

    # ---- calls

    def given_back(self, kind: Kind, depth: int = 0) -> tuple[Kind, ...]:
        """What calling it gives."""
        match kind:
            case Type(path=path, name=name):
                return (Thing(path, name),)
            case Code():
                function = self.index.function(kind)
                return self._returned(kind, function, depth) if function else (Dark(kind.name),)
            case Outside(name=name):
                last = name.rpartition(".")[2]
                return (Outside(name if last[:1].isupper() else f"{name}()"),)
            case Thing():
                inner = self.member(kind, "__call__", depth)
                return self._each(inner, lambda k: self.given_back(k, depth) if isinstance(k, Code) else (k,))
        return (kind,) if isinstance(kind, Dark) else (Dark("what is called is not a function"),)

    def _returned(self, code: Code, function: Function, depth: int) -> tuple[Kind, ...]:
        strange = [w for w in _words(function) if w not in KEEPING and w not in ("property", "cached_property")]
        if strange and not {"contextmanager", "asynccontextmanager"} & set(strange):
            return (Dark(f"{code.path}:{function.line}: the decorator `{strange[0]}` may change what it returns"),)
        if function.annotation == "Self" and code.on is not None:
            return (Thing(code.on.path, code.on.name),)
        if function.annotation is not None and function.annotation != "None":
            hinted = self.annotated(code.path, function.annotation, depth)
            if strange or function.yields:  # a generator's annotation speaks of what it yields
                return tuple(dict.fromkeys(k for h in hinted for k in (h.elements if isinstance(h, Box) else (h,))))
            return self._doubted(hinted, [(code.path, function.returns)], depth)
        if function.yields:
            inner = self.of(code.path, function.yields, depth)
            return inner if strange or "fixture" in _words(function) else (Box(inner),)
        return self.of(code.path, function.returns, depth)

    # ---- parameters

    def _parameter(self, path: str, name: str, parameter: str, depth: int) -> tuple[Kind, ...]:
        function = self.index.facts[path].functions.get(name)
        if function is None:
            return (Dark(f"{path}: `{parameter}`"),)
        words = _words(function)
        first = function.parameters[0].name if function.parameters else ""
        if function.cls and parameter == first and "staticmethod" not in words:
            of_class = "classmethod" in words or name.endswith((".__new__", ".__init_subclass__"))
            return (Type(path, function.cls),) if of_class else (Thing(path, function.cls),)
        at = next((p for p in function.parameters if p.name == parameter), None)
        if at is None or at.kind.startswith("var_"):
            return (Box(()),)
        found: tuple[Kind, ...] = ()
        if at.annotation is not None:
            found = self.annotated(path, at.annotation, depth)
            if any(not isinstance(k, Dark) for k in found):
                given = self.given(path, name, parameter) if self.given is not None and self.doubts_hints else ()
                return self._doubted(found, [(path, at.default), *given], depth)
        found = self.of(path, at.default, depth)
        if (fixture := self.index.fixture(path, name, parameter)) is not None:
            return self._returned(fixture, self.index.facts[fixture.path].functions[fixture.name], depth)
        if self.given is not None:
            given = self.given(path, name, parameter)
            found = tuple(dict.fromkeys([*found, *(k for at, v in given for k in self.of(at, v, depth))]))
        return found or (Dark(f"{path}:{function.line}: `{parameter}` has no type"),)

    def _doubted(self, hinted: tuple[Kind, ...], seen: Iterable[tuple[str, Values]], depth: int) -> tuple[Kind, ...]:
        """What a hint says and, where hints are doubted, the project's own objects that are seen in its place."""
        if not self.doubts_hints:
            return hinted
        found = [kind for path, values in seen for kind in self.of(path, values, depth)]
        return tuple(dict.fromkeys([*hinted, *(kind for kind in found if isinstance(kind, Thing | Type))]))

    # ---- annotations

    def annotated(self, path: str, annotation: str, depth: int = 0) -> tuple[Kind, ...]:
        """What a value of a written type is; empty for None."""
        at = parsed(annotation)
        return self._hint(path, at, depth) if at is not None else (Dark(f"{path}: the type `{annotation}`"),)

    def _hint(self, path: str, at: ast.expr, depth: int) -> tuple[Kind, ...]:
        if depth > MAX_DEPTH:
            return (Dark(f"{path}: a type of more than {MAX_DEPTH} steps"),)
        match at:
            case ast.Constant(value=None):
                return ()
            case ast.Constant(value=str() as text):
                return self.annotated(path, text, depth + 1)
            case ast.BinOp(left=left, right=right):
                return tuple(dict.fromkeys([*self._hint(path, left, depth + 1), *self._hint(path, right, depth + 1)]))
            case ast.Subscript(value=value, slice=inner):
                return self._generic(path, value, inner, depth + 1)
            case ast.Name() | ast.Attribute():
                return self._plain_hint(path, ast.unparse(at), depth)
        return (Dark(f"{path}: the type `{ast.unparse(at)}`"),)

    def _plain_hint(self, path: str, name: str, depth: int) -> tuple[Kind, ...]:
        found = self.index.dotted(path, name)
        match found:
            case Type(path=where, name=cls):
                return (Thing(where, cls),)
            case Outside(name=dotted):
                last = dotted.rpartition(".")[2]
                if last in ("Any", "object") or dotted.startswith("graphbus_core"):
                    return (Dark(f"{path}: `{name}` may be anything"),)
                return (Box(()),) if last in CONTAINERS else (Outside(dotted),)
            case (where, values):  # an alias: `Loader = Load`, `Source = A | B`
                kinds = self.of(where, values, depth + 1)
                return tuple(
                    Thing(k.path, k.name) if isinstance(k, Type) else alias_of(k, f"{path}: `{name}`") for k in kinds
                )
        return (Dark(f"{path}: the type `{name}` is not known"),)

    def _generic(self, path: str, value: ast.expr, inner: ast.expr, depth: int) -> tuple[Kind, ...]:
        word = getattr(value, "id", getattr(value, "attr", ""))
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        parts = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is ...)]
        if word == "Union":
            return self._any_of(path, parts, depth)
        if word == "Literal":
            return (Outside("builtins.str"),)
        if not parts:
            return self._hint(path, value, depth)
        if word in WRAPPERS:
            return self._hint(path, parts[-1] if word == "Coroutine" else parts[0], depth)
        if word in ("type", "Type"):
            return tuple(Type(k.path, k.name) if isinstance(k, Thing) else k for k in self._hint(path, parts[0], depth))
        if word in CONTAINERS:
            return (Box(self._any_of(path, elements_of(word, parts), depth)),)
        return self._hint(path, value, depth)

    def _any_of(self, path: str, parts: Iterable[ast.expr], depth: int) -> tuple[Kind, ...]:
        return tuple(dict.fromkeys(kind for part in parts for kind in self._hint(path, part, depth)))


def is_wrapped(function: Function) -> bool:
    """Whether a decorator may make something else of what it returns."""
    return any(word not in KEEPING and word != "property" for word in _words(function))


def _words(function: Function) -> list[str]:
    return [d.rpartition(".")[2] for d in function.decorators]
