"""What a value is: an object of which class, which function, or nobody knows. Bounded, memoised, nothing is run.

A question that comes back to itself (`s = s.replace(…)`) adds nothing to its own answer, so that no chain of calls
grows with the number of its ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphbus_core.build.understand.annotations import Annotations, Doubts
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
    computed_of,
    element_of,
    of_the_project,
)
from graphbus_core.build.understand.text.expressions import COPYING
from graphbus_core.build.understand.text.values import (
    KEEPING,
    Attr,
    Call,
    Called,
    Class,
    Computed,
    Const,
    Element,
    Entered,
    Function,
    Global,
    Hinted,
    Item,
    Listing,
    Param,
    Parameter,
    Record,
    Several,
    Touched,
    Unknown,
    Value,
    Values,
)

_ANEW = ("__new__", "__copy__", "__deepcopy__", "__replace__", "__reduce__", "__reduce_ex__")
Given = Callable[[str, str, str], "list[tuple[str, Values]]"]  # file, function, parameter -> what calls give it

MAX_KINDS = 8
MAX_DEPTH = 40
MAX_STEPS = 100_000  # after so many, answers inside of circles are kept as they are


class Objects:
    """Resolves the values of every file against the whole project."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.nodes: dict[str, Kind] = {}  # what `get_node("Cleaner")` gives, by the name
        self.given: Given | None = None  # tells what unannotated parameters are
        self._hints = Annotations(index, self.of)
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
                found = self._named(self.index.look_up(path, name), f"{path}:{value.line}: `{name}`", depth)
                return found if self.doubts is None else (*found, *self.doubts.variable(path, name, depth))
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
                if isinstance(value, Record):
                    inner += [self._each(self.of(path, v, depth), self._element) for v in value.spreads]
                return (Box(tuple(dict.fromkeys(k for kinds in inner for k in kinds))[:MAX_KINDS]),)
            case Listing(elements=elements):
                return (Box(self.of(path, elements, depth)),)
            case Touched(of=of):
                return self.of(path, of, depth)
            case Entered(of=of, by=by):
                return self._each(self.of(path, of, depth), lambda kind: self._entered(kind, by, depth))
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
                    if kinds == (Outside("copy"),):  # the module: `copy.copy(x)`
                        return self.of(path, call.args[0] if call.args else (), depth)
                    return self._each(kinds, lambda kind: self._asked_for(kind, word, lambda k: (k,), depth))
            made_by = call.keywords.get("default_factory", call.function)  # of a dataclass's field
            if call.args and any(getattr(one, "name", "") == "Factory" for one in call.function):  # attrs
                made_by = call.args[0]
            return self._each(self.of(path, made_by, depth), lambda kind: self.given_back(kind, depth))
        kinds = self.of(path, value.of, depth)
        if isinstance(value, Element) or value.call < 0:
            put = self.doubts.elements(path, value.of, depth) if self.doubts is not None else ()
            return (*self._each(kinds, self._element), *put)
        call = self.index.facts[path].calls[value.call]
        word = getattr(call.function[0], "name", "")
        else_ = of_the_project(self.of(path, call.args[1], depth)) if self.doubts and len(call.args) > 1 else ()
        return (*self._each(kinds, lambda kind: self._asked_for(kind, word, element_of, depth)), *else_)

    def _element(self, kind: Kind) -> tuple[Kind, ...]:
        if isinstance(kind, Type):  # `Box[int]` is the class, unless it says what that means
            known = [cls for _, cls in self.index.classes(kind.path, kind.name)]
            if any("__class_getitem__" in cls.methods or cls.metaclass for cls in known):
                return (Dark(f"`{kind.name}[…]`"),)
        return element_of(kind)

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

    def _entered(self, kind: Kind, by: str, depth: int) -> tuple[Kind, ...]:
        """What a `with` statement binds: of a function under `contextmanager`, which is a generator, what it yields."""
        if by == "__await__" or (isinstance(kind, Outside) and kind.name.startswith("contextlib.")):
            return (Dark("what comes out of it"),)
        if isinstance(kind, Thing):
            return self._each(self.member(kind, by, depth), lambda code: self.given_back(code, depth))
        return kind.elements if isinstance(kind, Box) else (kind,)

    # ---- members

    def member(self, kind: Kind, name: str, depth: int = 0) -> tuple[Kind, ...]:
        """`kind.name`."""
        match kind:
            case Module():
                found = self._named(self.index.inside(kind, name), f"{kind.name}.{name}", depth)
                return (*found, *self._put(kind, name, depth))
            case Outside(name=dotted):
                return (Outside(f"{dotted}.{name}"), *self._put(kind, name, depth))
            case Box():
                return (Outside(f"container.{name}"),)
            case Thing() | Type():
                found = self._of_class(kind, name, depth)
                return (*found, *self._put(kind, name, depth))
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
                if function is not None and {"property", "cached_property"} & set(function.words):
                    return self.given_back(code, depth)
                return (code,)
            if name in cls.inner:
                return (Type(at[0], cls.inner[name]),)
            if name in cls.hints:
                hinted = self._each(self.annotated(at[0], cls.hints[name], depth), lambda one: self._got(one, depth))
                if any(not isinstance(k, Dark) for k in hinted):
                    if self.doubts is None:
                        return hinted
                    more = tuple(self.doubts.field(at[0], cls, name, depth))
                    dark = tuple(k for k in more if isinstance(k, Dark) and any(isinstance(h, Thing) for h in hinted))
                    return self._doubted((*hinted, *dark), (*self._stored(at[0], cls, name, depth), *more))
            if cls.attributes.get(name) and isinstance(kind, Type) and cls.is_enum:
                return (Thing(*at),)
            if cls.stored.get(name) or cls.attributes.get(name):
                stored = self._stored(at[0], cls, name, depth)
                return stored or (Dark(f"`{kind.name}.{name}` is only known to be None"),)
        why = "a base class outside the project may define it" if open_base else "no class of its family defines it"
        return (Dark(f"`{kind.name}.{name}`: {why}"),)

    def _stored(self, path: str, cls: Class, name: str, depth: int) -> tuple[Kind, ...]:
        """What `self.name = …` and the class's body put there."""
        of_class = self._each(self.of(path, cls.attributes.get(name, ()), depth), lambda one: self._got(one, depth))
        return tuple(dict.fromkeys([*self.of(path, cls.stored.get(name, ()), depth), *of_class]))

    def _got(self, kind: Kind, depth: int) -> tuple[Kind, ...]:
        """What an attribute of a class gives: of a descriptor, what its `__get__` gives back."""
        if isinstance(kind, Thing) and any(
            "__get__" in one.methods for _, one in self.index.classes(kind.path, kind.name)
        ):
            return self._each(self.member(kind, "__get__", depth), lambda code: self.given_back(code, depth))
        return (kind,)

    def _put(self, kind: Kind, name: str, depth: int) -> Iterable[Kind]:
        return self.doubts.attribute(kind, name, depth) if self.doubts is not None else ()

    # ---- calls

    def given_back(self, kind: Kind, depth: int = 0) -> tuple[Kind, ...]:
        """What calling it gives."""
        match kind:
            case Type():
                return self._made(kind, depth)
            case Code():
                function = self.index.function(kind)
                again = kind.name in self.index.facts[kind.path].again
                return self._returned(kind, function, depth) if function and not again else (Dark(kind.name),)
            case Outside(name=name) if name.startswith("typing"):
                return (Dark(name),)
            case Outside(name=name):
                last = name.rpartition(".")[2]
                return (Outside(name if last[:1].isupper() else f"{name}()"),)
            case Thing():
                inner = self.member(kind, "__call__", depth)
                return self._each(inner, lambda k: self.given_back(k, depth) if isinstance(k, Code) else (k,))
        return (kind,) if isinstance(kind, Dark) else (Dark("what is called is not a function"),)

    def _made(self, kind: Type, depth: int) -> tuple[Kind, ...]:
        """What a class makes: an object of it, and what its `__new__`, metaclass or decorators give in its place.

        What a copy of the object is counts with it: nobody follows where it is copied.
        """
        ways: list[Kind] = []
        for path, cls in self.index.classes(kind.path, kind.name):
            ways += [Code(path, cls.methods[word], kind) for word in _ANEW if word in cls.methods]
            if cls.metaclass and isinstance(meta := self.index.dotted(path, cls.metaclass), Type):
                ways += self.member(meta, "__call__", depth)
        own = self.index.cls(kind.path, kind.name)
        for word in own.decorators if own is not None else ():
            if isinstance(code := self.index.dotted(kind.path, word), Code):
                ways.append(code)
        instead = [one for way in ways if isinstance(way, Code) for one in self.given_back(way, depth)]
        instead += self._put(kind, "__class__", depth)
        instead += [inner for one in instead if isinstance(one, Box) for inner in one.elements]  # `return Node, ()`
        found = [Thing(one.path, one.name) if isinstance(one, Type) else one for one in of_the_project(instead)]
        return tuple(dict.fromkeys([Thing(kind.path, kind.name), *found]))

    def _returned(self, code: Code, function: Function, depth: int) -> tuple[Kind, ...]:
        words = set(function.words)
        strange = [w for w in function.words if w not in KEEPING and w not in ("property", "cached_property")]
        if strange and not {"contextmanager", "asynccontextmanager"} & words:
            return (Dark(f"{code.path}:{function.line}: the decorator `{strange[0]}` may change what it returns"),)
        if function.annotation == "Self" and code.on is not None:
            return (Thing(code.on.path, code.on.name),)
        is_told, given = function.annotation not in (None, "None"), tuple[Kind, ...]()
        if not is_told or self.doubts is not None:
            given = self.of(code.path, function.yields or function.returns, depth)
            given = (Box(given),) if function.yields else given
        if function.annotation is not None and is_told:
            given = self._doubted(self.annotated(code.path, function.annotation, depth), given)
        if function.yields and "fixture" in words:  # a test is given what it yields
            return self._each(given, lambda one: one.elements if isinstance(one, Box) else (one,))
        return given

    # ---- parameters

    def _parameter(self, path: str, name: str, parameter: str, depth: int) -> tuple[Kind, ...]:
        function = self.index.facts[path].functions.get(name)
        if function is None or {name, function.cls} & self.index.facts[path].again:
            return (Dark(f"{path}: `{parameter}`"),)
        at = next((p for p in function.parameters if p.name == parameter), None)
        if at is None or at.kind.startswith("var_"):
            return (Box(()),)
        if function.cls and at is function.parameters[0] and "staticmethod" not in function.words:
            of_class = "classmethod" in function.words or name.endswith((".__new__", ".__init_subclass__"))
            return (Type(path, function.cls) if of_class else Thing(path, function.cls),)
        hinted = self.annotated(path, at.annotation, depth) if at.annotation is not None else ()
        told = any(not isinstance(kind, Dark) for kind in hinted)
        if told and not (self.doubts is not None):
            return hinted
        if not told and (fixture := self.index.fixture(path, name, parameter)) is not None:
            return self._returned(fixture, self.index.facts[fixture.path].functions[fixture.name], depth)
        found = tuple(dict.fromkeys([*self.of(path, at.default, depth), *self._given_to(path, function, at, depth)]))
        if told:
            return self._doubted(hinted, found)
        return found or (Dark(f"{path}:{function.line}: `{parameter}` has no type"),)

    def _given_to(self, path: str, function: Function, at: Parameter, depth: int) -> list[Kind]:
        """What calls give to a parameter; who edits by it must know that nobody else calls."""
        given = self.given(path, function.name, at.name) if self.given is not None else []
        found = [kind for where, values in given for kind in self.of(where, values, depth)]
        doubts = self.doubts
        if found and doubts is not None and (function.is_wrapped or doubts.is_handed_on(path, function)):
            found.append(Dark(f"{path}:{function.line}: others may call it with another `{at.name}`"))
        return found

    def _doubted(self, told: tuple[Kind, ...], seen: Iterable[Kind]) -> tuple[Kind, ...]:
        """What a hint says and, where hints are doubted, the project's own objects that are seen in its place."""
        if self.doubts is None:
            return told
        boxes = any(isinstance(kind, Box) for kind in told)
        return tuple(dict.fromkeys([*told, *(k for k in of_the_project(seen) if boxes or not isinstance(k, Box))]))

    def annotated(self, path: str, annotation: str, depth: int = 0) -> tuple[Kind, ...]:
        """What a value of a written type is; empty for None."""
        return self._hints.of(path, annotation, depth)
