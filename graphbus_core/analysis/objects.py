"""What a value is: an object of which class, which function, or nobody knows. Bounded, memoised, nothing is run.

A question that comes back to itself (`s = s.replace(…)`) adds nothing to its own answer, so that no chain of calls
grows with the number of its ways.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Protocol

from graphbus_core.analysis.expressions import COPYING
from graphbus_core.analysis.index import (
    ClassRef,
    Container,
    ExternalRef,
    FunctionRef,
    Index,
    Instance,
    Kind,
    LookupResult,
    ModuleRef,
    SuperRef,
    Unresolved,
    list_computed_kinds,
    list_element_kinds,
    select_project_kinds,
)
from graphbus_core.analysis.values import (
    KEEPING,
    AnnotatedValue,
    Attr,
    Call,
    CallResult,
    Class,
    CollectionValue,
    ComputedValue,
    Const,
    ContextValue,
    Element,
    Function,
    Global,
    Item,
    MutatedValue,
    Param,
    Parameter,
    Record,
    SliceValue,
    TupleValue,
    Unknown,
    Value,
    Values,
)

# What a written type says of a value: an object of which class, a container of what, or nobody knows.


MAX_TYPE_STEPS = 40  # types in types, aliases of aliases
CONTAINERS = frozenset(
    """list dict set frozenset tuple List Dict Set Tuple Sequence Mapping MutableMapping Iterable Iterator Collection
    MutableSequence defaultdict deque Generator AsyncIterator AsyncGenerator ContextManager
    AsyncContextManager AbstractContextManager AbstractAsyncContextManager""".split()  # noqa: SIM905
)
WRAPPERS = frozenset(
    {"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable", "Coroutine"}
)
_FIRST = frozenset(  # of their parts the first says what comes out
    """Generator AsyncGenerator ContextManager AsyncContextManager AbstractContextManager
    AbstractAsyncContextManager""".split()  # noqa: SIM905
)


class Doubts(Protocol):
    """What code beside a class, a function or a container puts there, whatever its hints say."""

    def attribute(self, kind: Kind, name: str, depth: int) -> Iterable[Kind]: ...
    def variable(self, path: str, name: str, depth: int) -> Iterable[Kind]: ...
    def field(self, path: str, cls: Class, name: str, depth: int) -> Iterable[Kind]: ...
    def elements(self, path: str, of: Values, depth: int) -> Iterable[Kind]: ...
    def is_handed_on(self, path: str, function: Function | Class) -> bool: ...


class AnnotationReader:
    """Reads types against the whole project; `values` tells what a variable that stands in one is."""

    def __init__(self, index: Index, values: Callable[[str, Values, int], tuple[Kind, ...]]) -> None:
        self._index, self._values = index, values

    def read_type(self, path: str, annotation: str, depth: int = 0) -> tuple[Kind, ...]:
        """What a value of a written type is; empty for None."""
        node = parse_annotation(annotation)
        return (
            self._read_hint(path, node, depth)
            if node is not None
            else (Unresolved(f"{path}: the type `{annotation}`"),)
        )

    def _read_hint(self, path: str, node: ast.expr, depth: int) -> tuple[Kind, ...]:
        if depth > MAX_TYPE_STEPS:
            return (Unresolved(f"{path}: a type of more than {MAX_TYPE_STEPS} steps"),)
        match node:
            case ast.Constant(value=None):
                return ()
            case ast.Constant(value=str() as text):
                return self.read_type(path, text, depth + 1)
            case ast.BinOp(left=left, right=right):
                return tuple(
                    dict.fromkeys([*self._read_hint(path, left, depth + 1), *self._read_hint(path, right, depth + 1)])
                )
            case ast.Subscript(value=value, slice=inner):
                return self._read_generic(path, value, inner, depth + 1)
            case ast.Name() | ast.Attribute():
                return self._read_name(path, ast.unparse(node), depth)
        return (Unresolved(f"{path}: the type `{ast.unparse(node)}`"),)

    def _read_name(self, path: str, name: str, depth: int) -> tuple[Kind, ...]:
        resolved = self._index.look_up_dotted(path, name)
        match resolved:
            case ClassRef(path=where, name=cls):
                return (Instance(where, cls),)
            case ExternalRef(name=dotted):
                last = dotted.rpartition(".")[2]
                if last in ("Any", "object") or dotted.startswith("graphbus_core"):
                    return (Unresolved(f"{path}: `{name}` may be anything"),)
                return (Container(()),) if last in CONTAINERS else (ExternalRef(dotted),)
            case (where, values):  # an alias: `Loader = Load`, `Source = A | B`
                kinds = self._values(where, values, depth + 1)
                return tuple(
                    Instance(k.path, k.name) if isinstance(k, ClassRef) else resolve_alias(k, f"{path}: `{name}`")
                    for k in kinds
                )
        return (Unresolved(f"{path}: the type `{name}` is not known"),)

    def _read_generic(self, path: str, value: ast.expr, inner: ast.expr, depth: int) -> tuple[Kind, ...]:
        word = getattr(value, "id", getattr(value, "attr", ""))
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        parts = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is ...)]
        if word == "Union":
            return self._read_union(path, parts, depth)
        if word == "Literal":
            return (ExternalRef("builtins.str"),)
        if not parts:
            return self._read_hint(path, value, depth)
        if word in WRAPPERS:
            return self._read_hint(path, parts[-1] if word == "Coroutine" else parts[0], depth)
        if word in ("type", "Type"):
            return tuple(
                ClassRef(k.path, k.name) if isinstance(k, Instance) else k
                for k in self._read_hint(path, parts[0], depth)
            )
        if word in CONTAINERS:
            return (Container(self._read_union(path, select_element_types(word, parts), depth)),)
        return self._read_hint(path, value, depth)

    def _read_union(self, path: str, parts: Iterable[ast.expr], depth: int) -> tuple[Kind, ...]:
        return tuple(dict.fromkeys(kind for part in parts for kind in self._read_hint(path, part, depth)))


@lru_cache(maxsize=4096)
def parse_annotation(annotation: str) -> ast.expr | None:
    """An annotation's text as an expression; None where it cannot be parsed."""
    try:
        return ast.parse(annotation, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def select_element_types(word: str, parts: list[ast.expr]) -> list[ast.expr]:
    """Which of a container's parts say what lies in it: a mapping's values, what a generator yields."""
    if word in ("dict", "Dict", "Mapping", "MutableMapping", "defaultdict"):
        return parts[-1:]
    return parts[:1] if word in _FIRST else parts


def resolve_alias(kind: Kind, where: str) -> Kind:
    """A type that a call or a subscript of `typing` made (`TypeVar("T")`, `Optional[A]`) stands for others."""
    return Unresolved(where) if isinstance(kind, ExternalRef) and kind.name.startswith("typing") else kind


_ANEW = ("__new__", "__copy__", "__deepcopy__", "__replace__", "__reduce__", "__reduce_ex__")
Given = Callable[[str, str, str], "list[tuple[str, Values]]"]  # file, function, parameter -> what calls give it

MAX_KINDS = 8
MAX_DEPTH = 40
MAX_STEPS = 100_000  # after so many, answers inside of circles are kept as they are


class ObjectResolver:
    """Resolves the values of every file against the whole project."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.nodes: dict[str, Kind] = {}  # what `get_node("Cleaner")` gives, by the name
        self.given: Given | None = None  # tells what unannotated parameters are
        self._hints = AnnotationReader(index, self.resolve)
        self.doubts: Doubts | None = None  # nothing holds code to its hints: who edits by them has doubts
        self._reads = index.facts.reads
        self._known: dict[int, tuple[tuple[Kind, ...], frozenset[str]]] = {}
        self._asked: set[int] = set()
        self._met: set[int] = set()  # questions that came back while they were being asked: what saw them is not kept
        self._steps = 0
        self._keep: list[Value] = []  # values are known by identity: they must outlive the memo

    def forget(self) -> None:
        """Ask everything anew."""
        self._known.clear()

    def resolve(self, path: str, values: Values, depth: int = 0) -> tuple[Kind, ...]:
        """What values may be; empty where nothing was written that tells (or only None)."""
        kinds: dict[Kind, None] = {}
        for value in values:
            for kind in self._resolve_value(path, value, depth):
                kinds[kind] = None
        if len(kinds) > MAX_KINDS:
            return (Unresolved(f"more than {MAX_KINDS} kinds of object"),)
        return tuple(kinds)

    def _resolve_value(self, path: str, value: Value, depth: int) -> tuple[Kind, ...]:
        key = id(value)
        cached = self._known.get(key)
        if cached is not None:
            self._reads.add_reads(cached[1])
            return cached[0]
        if key in self._asked:
            self._met.add(key)
            return ()
        if depth > MAX_DEPTH:
            self._reads.add_reads(None)
            return (Unresolved(f"{path}:{value.line} is more than {MAX_DEPTH} steps away"),)
        self._asked.add(key)
        self._steps += 1
        self._reads.begin()
        kinds = self._resolve_uncached(path, value, depth + 1)
        if self._steps > MAX_STEPS:
            self._reads.add_reads(None)
        reads = self._reads.end()
        self._asked.discard(key)
        self._met.discard(key)
        if not self._met or self._steps > MAX_STEPS:
            self._known[key] = kinds, reads
            self._keep.append(value)
        return kinds

    def _resolve_uncached(self, path: str, value: Value, depth: int) -> tuple[Kind, ...]:
        match value:
            case Global(name=name):
                resolved = self._resolve_named(self.index.look_up(path, name), f"{path}:{value.line}: `{name}`", depth)
                return resolved if self.doubts is None else (*resolved, *self.doubts.variable(path, name, depth))
            case Param(function=function, name=name):
                return self._resolve_parameter(path, function, name, depth)
            case Attr(of=of, name=name):
                return self._map_kinds(self.resolve(path, of, depth), lambda kind: self.find_member(kind, name, depth))
            case Item() | Element() | CallResult():
                return self._resolve_result(path, value, depth)
            case Const(value=None):
                return ()
            case Const(value=literal):
                return (ExternalRef(f"builtins.{type(literal).__name__}"),)
            case Record() | TupleValue():
                parts = value.fields.values() if isinstance(value, Record) else value.elements
                inner = [self.resolve(path, v, depth) for v in parts]
                if isinstance(value, Record):
                    inner += [
                        self._map_kinds(self.resolve(path, v, depth), self._resolve_element) for v in value.spreads
                    ]
                return (Container(tuple(dict.fromkeys(k for kinds in inner for k in kinds))[:MAX_KINDS]),)
            case CollectionValue(elements=elements):
                return (Container(self.resolve(path, elements, depth)),)
            case MutatedValue(of=of) | SliceValue(of=of):
                return self.resolve(path, of, depth)
            case ContextValue(of=of, by=by):
                return self._map_kinds(
                    self.resolve(path, of, depth), lambda kind: self._resolve_context(kind, by, depth)
                )
            case ComputedValue(of=of):
                return self._map_kinds(
                    self.resolve(path, of, depth), lambda kind: list_computed_kinds(kind, f"{path}:{value.line}")
                )
            case AnnotatedValue(annotation=annotation):
                return self.resolve_annotation(path, annotation, depth)
            case Unknown(why=why):
                return (Unresolved(f"{path}:{value.line}: {why}"),)
        return (Unresolved(f"{path}:{value.line}"),)

    def _resolve_result(self, path: str, value: Item | Element | CallResult, depth: int) -> tuple[Kind, ...]:
        """What a key, an element or a call gives. `x.get("k")` is a look-up unless the project's class means a call."""
        if isinstance(value, CallResult):
            call = self.index.facts[path].calls[value.call]
            if (by_word := self._resolve_by_word(path, call)) is not None:
                return (by_word,)
            match call.function:
                case (Attr(of=of, name=word),) if word in COPYING:
                    kinds = self.resolve(path, of, depth)
                    if kinds == (ExternalRef("copy"),):  # the module: `copy.copy(x)`
                        return self.resolve(path, call.args[0] if call.args else (), depth)
                    return self._map_kinds(kinds, lambda kind: self._resolve_lookup(kind, word, lambda k: (k,), depth))
            made_by = call.keywords.get("default_factory", call.function)  # of a dataclass's field
            if call.args and any(getattr(callee, "name", "") == "Factory" for callee in call.function):  # attrs
                made_by = call.args[0]
            return self._map_kinds(self.resolve(path, made_by, depth), lambda kind: self.resolve_call(kind, depth))
        kinds = self.resolve(path, value.of, depth)
        if isinstance(value, Element) or value.call < 0:
            put_kinds = self.doubts.elements(path, value.of, depth) if self.doubts is not None else ()
            return (*self._map_kinds(kinds, self._resolve_element), *put_kinds)
        call = self.index.facts[path].calls[value.call]
        word = getattr(call.function[0], "name", "")
        else_ = (
            select_project_kinds(self.resolve(path, call.args[1], depth)) if self.doubts and len(call.args) > 1 else ()
        )
        return (
            *self._map_kinds(kinds, lambda kind: self._resolve_lookup(kind, word, list_element_kinds, depth)),
            *else_,
        )

    def _resolve_element(self, kind: Kind) -> tuple[Kind, ...]:
        if isinstance(kind, ClassRef):  # `Box[int]` is the class, unless it says what that means
            own_classes = [cls for _, cls in self.index.iter_classes(kind.path, kind.name)]
            if any("__class_getitem__" in cls.methods or cls.metaclass for cls in own_classes):
                return (Unresolved(f"`{kind.name}[…]`"),)
        return list_element_kinds(kind)

    def _resolve_lookup(
        self, kind: Kind, word: str, else_: Callable[[Kind], tuple[Kind, ...]], depth: int
    ) -> tuple[Kind, ...]:
        """What `x.get("k")` or `x.copy()` gives: by the project's own method of that name, else as of a dict."""
        if isinstance(kind, Instance | ClassRef | ModuleRef | SuperRef):
            own = [method for method in self.find_member(kind, word, depth) if isinstance(method, FunctionRef)]
            if own:
                return self._map_kinds(own, lambda method: self.resolve_call(method, depth))
        return else_(kind)

    def _resolve_by_word(self, path: str, call: Call) -> Kind | None:
        """`super()`, and `bus.get_node("Cleaner")`."""
        match call.function:
            case (Global(name="super"),) if not call.args:
                function = self.index.facts[path].functions.get(call.inside)
                return SuperRef(path, function.cls) if function is not None and function.cls else None
            case (Attr(name="get_node"),):
                match call.args:
                    case ((Const(value=str() as name),), *_):
                        return self.nodes.get(name)
        return None

    def _map_kinds(self, kinds: Iterable[Kind], ask: Callable[[Kind], tuple[Kind, ...]]) -> tuple[Kind, ...]:
        results: dict[Kind, None] = {}
        for kind in kinds:
            for result in ask(kind):
                results[result] = None
        return tuple(results)

    def _resolve_named(self, looked_up: LookupResult | None, where: str, depth: int) -> tuple[Kind, ...]:
        if looked_up is None:
            return (Unresolved(f"{where} is not known"),)
        if isinstance(looked_up, tuple):
            return self.resolve(looked_up[0], looked_up[1], depth)
        return (looked_up,)

    def _resolve_context(self, kind: Kind, by: str, depth: int) -> tuple[Kind, ...]:
        """What a `with` statement binds: of a function under `contextmanager`, which is a generator, what it yields."""
        if by == "__await__" or (isinstance(kind, ExternalRef) and kind.name.startswith("contextlib.")):
            return (Unresolved("what comes out of it"),)
        if isinstance(kind, Instance):
            return self._map_kinds(self.find_member(kind, by, depth), lambda code: self.resolve_call(code, depth))
        return kind.elements if isinstance(kind, Container) else (kind,)

    # ---- members

    def find_member(self, kind: Kind, name: str, depth: int = 0) -> tuple[Kind, ...]:
        """`kind.name`."""
        match kind:
            case ModuleRef():
                members = self._resolve_named(self.index.look_up_member(kind, name), f"{kind.name}.{name}", depth)
                return (*members, *self._find_doubts(kind, name, depth))
            case ExternalRef(name=dotted):
                return (ExternalRef(f"{dotted}.{name}"), *self._find_doubts(kind, name, depth))
            case Container():
                return (ExternalRef(f"container.{name}"),)
            case Instance() | ClassRef():
                members = self._find_class_member(kind, name, depth)
                return (*members, *self._find_doubts(kind, name, depth))
            case SuperRef(path=path, name=cls):
                return self._find_class_member(Instance(path, cls), name, depth, 1)
            case FunctionRef():
                return (ExternalRef(f"function.{name}"),)
        return (kind,)

    def _find_class_member(self, kind: Instance | ClassRef, name: str, depth: int, skip: int = 0) -> tuple[Kind, ...]:
        open_base = False
        for class_key in self.index.find_family(kind.path, kind.name)[skip:]:
            if class_key is None:
                open_base = True
                continue
            cls = self.index.find_class(*class_key)
            if cls is None:
                continue
            if name in cls.methods:
                code = FunctionRef(class_key[0], cls.methods[name], kind)
                function = self.index.find_function(code)
                if function is not None and {"property", "cached_property"} & set(function.words):
                    return self.resolve_call(code, depth)
                return (code,)
            if name in cls.inner:
                return (ClassRef(class_key[0], cls.inner[name]),)
            if name in cls.hints:
                hinted = self._map_kinds(
                    self.resolve_annotation(class_key[0], cls.hints[name], depth),
                    lambda hinted_kind: self._resolve_descriptor(hinted_kind, depth),
                )
                if any(not isinstance(k, Unresolved) for k in hinted):
                    if self.doubts is None:
                        return hinted
                    more = tuple(self.doubts.field(class_key[0], cls, name, depth))
                    dark = tuple(
                        k for k in more if isinstance(k, Unresolved) and any(isinstance(h, Instance) for h in hinted)
                    )
                    return self._join_doubts(
                        (*hinted, *dark), (*self._find_stored(class_key[0], cls, name, depth), *more)
                    )
            if cls.attributes.get(name) and isinstance(kind, ClassRef) and cls.is_enum:
                return (Instance(*class_key),)
            if cls.stored.get(name) or cls.attributes.get(name):
                stored = self._find_stored(class_key[0], cls, name, depth)
                return stored or (Unresolved(f"`{kind.name}.{name}` is only known to be None"),)
        why = "a base class outside the project may define it" if open_base else "no class of its family defines it"
        return (Unresolved(f"`{kind.name}.{name}`: {why}"),)

    def _find_stored(self, path: str, cls: Class, name: str, depth: int) -> tuple[Kind, ...]:
        """What `self.name = …` and the class's body put there."""
        of_class = self._map_kinds(
            self.resolve(path, cls.attributes.get(name, ()), depth),
            lambda class_kind: self._resolve_descriptor(class_kind, depth),
        )
        return tuple(dict.fromkeys([*self.resolve(path, cls.stored.get(name, ()), depth), *of_class]))

    def _resolve_descriptor(self, kind: Kind, depth: int) -> tuple[Kind, ...]:
        """What an attribute of a class gives: of a descriptor, what its `__get__` gives back."""
        if isinstance(kind, Instance) and any(
            "__get__" in class_facts.methods for _, class_facts in self.index.iter_classes(kind.path, kind.name)
        ):
            return self._map_kinds(
                self.find_member(kind, "__get__", depth), lambda code: self.resolve_call(code, depth)
            )
        return (kind,)

    def _find_doubts(self, kind: Kind, name: str, depth: int) -> Iterable[Kind]:
        return self.doubts.attribute(kind, name, depth) if self.doubts is not None else ()

    # ---- calls

    def resolve_call(self, kind: Kind, depth: int = 0) -> tuple[Kind, ...]:
        """What calling it gives."""
        match kind:
            case ClassRef():
                return self._resolve_instance(kind, depth)
            case FunctionRef():
                function = self.index.find_function(kind)
                again = kind.name in self.index.facts[kind.path].again
                return (
                    self._resolve_return(kind, function, depth) if function and not again else (Unresolved(kind.name),)
                )
            case ExternalRef(name=name) if name.startswith("typing"):
                return (Unresolved(name),)
            case ExternalRef(name=name):
                last = name.rpartition(".")[2]
                return (ExternalRef(name if last[:1].isupper() else f"{name}()"),)
            case Instance():
                inner = self.find_member(kind, "__call__", depth)
                return self._map_kinds(
                    inner, lambda k: self.resolve_call(k, depth) if isinstance(k, FunctionRef) else (k,)
                )
        return (kind,) if isinstance(kind, Unresolved) else (Unresolved("what is called is not a function"),)

    def _resolve_instance(self, kind: ClassRef, depth: int) -> tuple[Kind, ...]:
        """What a class makes: an object of it, and what its `__new__`, metaclass or decorators give in its place.

        What a copy of the object is counts with it: nobody follows where it is copied.
        """
        ways: list[Kind] = []
        for path, cls in self.index.iter_classes(kind.path, kind.name):
            ways += [FunctionRef(path, cls.methods[word], kind) for word in _ANEW if word in cls.methods]
            if cls.metaclass and isinstance(meta := self.index.look_up_dotted(path, cls.metaclass), ClassRef):
                ways += self.find_member(meta, "__call__", depth)
        own = self.index.find_class(kind.path, kind.name)
        for word in own.decorators if own is not None else ():
            if isinstance(code := self.index.look_up_dotted(kind.path, word), FunctionRef):
                ways.append(code)
        instead = [
            alternative for way in ways if isinstance(way, FunctionRef) for alternative in self.resolve_call(way, depth)
        ]
        instead += self._find_doubts(kind, "__class__", depth)
        instead += [
            inner for alternative in instead if isinstance(alternative, Container) for inner in alternative.elements
        ]  # `return Node, ()`
        kinds = [
            Instance(alternative.path, alternative.name) if isinstance(alternative, ClassRef) else alternative
            for alternative in select_project_kinds(instead)
        ]
        return tuple(dict.fromkeys([Instance(kind.path, kind.name), *kinds]))

    def _resolve_return(self, code: FunctionRef, function: Function, depth: int) -> tuple[Kind, ...]:
        words = set(function.words)
        strange = [w for w in function.words if w not in KEEPING and w not in ("property", "cached_property")]
        if strange and not {"contextmanager", "asynccontextmanager"} & words:
            return (
                Unresolved(f"{code.path}:{function.line}: the decorator `{strange[0]}` may change what it returns"),
            )
        if function.annotation == "Self" and code.on is not None:
            return (Instance(code.on.path, code.on.name),)
        is_told, returned = function.annotation not in (None, "None"), tuple[Kind, ...]()
        if not is_told or self.doubts is not None:
            returned = self.resolve(code.path, function.yields or function.returns, depth)
            returned = (Container(returned),) if function.yields else returned
        if function.annotation is not None and is_told:
            returned = self._join_doubts(self.resolve_annotation(code.path, function.annotation, depth), returned)
        if function.yields and "fixture" in words:  # a test is given what it yields
            return self._map_kinds(returned, lambda kind: kind.elements if isinstance(kind, Container) else (kind,))
        return returned

    # ---- parameters

    def _resolve_parameter(self, path: str, name: str, parameter: str, depth: int) -> tuple[Kind, ...]:
        function = self.index.facts[path].functions.get(name)
        if function is None or {name, function.cls} & self.index.facts[path].again:
            return (Unresolved(f"{path}: `{parameter}`"),)
        declared = next((p for p in function.parameters if p.name == parameter), None)
        if declared is None or declared.kind.startswith("var_"):
            return (Container(()),)
        if function.cls and declared is function.parameters[0] and "staticmethod" not in function.words:
            of_class = "classmethod" in function.words or name.endswith((".__new__", ".__init_subclass__"))
            return (ClassRef(path, function.cls) if of_class else Instance(path, function.cls),)
        hinted = self.resolve_annotation(path, declared.annotation, depth) if declared.annotation is not None else ()
        is_hinted = any(not isinstance(kind, Unresolved) for kind in hinted)
        if is_hinted and not (self.doubts is not None):
            return hinted
        if not is_hinted and (fixture := self.index.find_fixture(path, name, parameter)) is not None:
            return self._resolve_return(fixture, self.index.facts[fixture.path].functions[fixture.name], depth)
        kinds = tuple(
            dict.fromkeys(
                [*self.resolve(path, declared.default, depth), *self._find_given_kinds(path, function, declared, depth)]
            )
        )
        if is_hinted:
            return self._join_doubts(hinted, kinds)
        return kinds or (Unresolved(f"{path}:{function.line}: `{parameter}` has no type"),)

    def _find_given_kinds(self, path: str, function: Function, parameter: Parameter, depth: int) -> list[Kind]:
        """What calls give to a parameter; who edits by it must know that nobody else calls."""
        given_values = self.given(path, function.name, parameter.name) if self.given is not None else []
        kinds = [kind for where, values in given_values for kind in self.resolve(where, values, depth)]
        doubts = self.doubts
        if kinds and doubts is not None and (function.is_wrapped or doubts.is_handed_on(path, function)):
            kinds.append(Unresolved(f"{path}:{function.line}: others may call it with another `{parameter.name}`"))
        return kinds

    def _join_doubts(self, hinted_kinds: tuple[Kind, ...], seen_kinds: Iterable[Kind]) -> tuple[Kind, ...]:
        """What a hint says and, where hints are doubted, the project's own objects that are seen in its place."""
        if self.doubts is None:
            return hinted_kinds
        boxes = any(isinstance(kind, Container) for kind in hinted_kinds)
        return tuple(
            dict.fromkeys(
                [*hinted_kinds, *(k for k in select_project_kinds(seen_kinds) if boxes or not isinstance(k, Container))]
            )
        )

    def resolve_annotation(self, path: str, annotation: str, depth: int = 0) -> tuple[Kind, ...]:
        """What a value of a written type is; empty for None."""
        return self._hints.read_type(path, annotation, depth)
