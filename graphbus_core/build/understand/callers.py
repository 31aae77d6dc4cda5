"""Who calls a function, in the whole project.

Each call with the functions it may reach, and the values it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from graphbus_core.build.understand.ends import BY_NAME
from graphbus_core.build.understand.index import Code, Dark, Index, Kind, Type
from graphbus_core.build.understand.objects import Objects
from graphbus_core.build.understand.text.values import (
    Attr,
    Call,
    Const,
    Function,
    Global,
    Param,
    Record,
    Unknown,
    Values,
)

# What thirty calls give to a parameter is what it takes. Common functions are called a thousand times.
MAX_SITES = 30  # of calls that are asked what they give to a parameter


@dataclass(frozen=True, slots=True)
class Site:
    """A call and where it stands. `number` is its place in the file's list of calls."""

    path: str
    number: int
    call: Call

    @property
    def place(self) -> str:
        """`main.py:12`."""
        return f"{self.path}:{self.call.line}"


@dataclass(frozen=True, slots=True)
class Target:
    """What a call may reach. `code` is a function; `cls` a class that is made; `named`: node and method in text."""

    code: Code | None = None
    cls: Type | None = None
    named: tuple[str, str] | None = None
    shift: int = 0  # arguments by position before the function's own


Reached: TypeAlias = "tuple[tuple[Target, ...], tuple[str, ...]]"


class Callers:
    """Calls by the word that is called, and what they reach."""

    def __init__(self, index: Index, objects: Objects) -> None:
        self.index, self.objects = index, objects
        objects.given = self.given
        self._sites: dict[str, list[Site]] = {}
        self._reaching: dict[str, tuple[list[Site], frozenset[str]]] = {}
        self._indexed: dict[str, dict[str, list[Site]]] = {}
        self._targets: dict[tuple[str, int], tuple[Reached, frozenset[str] | None]] = {}

    def sites(self, word: str) -> list[Site]:
        """Every call of the project whose function's last word this is."""
        if word not in self._sites:
            paths = self.index.facts.calling(word)
            self._sites[word] = [site for path in paths for site in self.in_file(path).get(word, ())]
        return self._sites[word]

    def reaching(self, word: str) -> list[Site]:
        """Those of them that may reach a function of the project."""
        reads = self.index.facts.reads
        known = self._reaching.get(word)
        if known is None:
            reads.begin()
            reads.word(word)
            paths = self.index.facts.reaching(word)
            sites = [site for path in paths for site in self.in_file(path).get(word, ())]
            known = self._reaching[word] = sites, reads.end()
        reads.rest(known[1])
        return known[0]

    def in_file(self, path: str) -> Mapping[str, list[Site]]:
        """The calls of a file by the last word of what is called."""
        # Noted each time, also from memory: an answer rests on this file whether or not it was parsed for it.
        facts = self.index.facts[path]  # asked for each time: whoever looks at a file's calls rests on the file
        if path not in self._indexed:
            made = self._indexed[path] = {}
            for number, call in enumerate(facts.calls):
                for word in {word_of(v) for v in call.function} - {""}:
                    made.setdefault(word, []).append(Site(path, number, call))
        return self._indexed[path]

    def targets(self, site: Site) -> Reached:
        """What a call may reach; and why nobody can tell, where that is so."""
        key, reads = (site.path, site.number), self.index.facts.reads
        known = self._targets.get(key)
        if known is not None:
            reads.rest(known[1])
            return known[0]
        # A call inside its own argument. Nothing is reached through it that is not reached without it.
        self._targets[key] = ((), ()), None  # a call that is asked about itself
        reads.begin()
        found = self._reached(site)
        self._targets[key] = found, reads.end()
        return found

    def _reached(self, site: Site) -> Reached:
        found: list[Target] = []
        dark: list[str] = []
        if (named := self.named(site)) is not None:
            return (named,), ()
        for kind in self.objects.of(site.path, site.call.function):
            match kind:
                case Code(on=on):
                    function = self.index.function(kind)
                    found.append(Target(code=kind, shift=_shift(function, on)))
                case Type():
                    found.append(Target(cls=kind))
                case Dark(why=why):
                    dark.append(why)
        return tuple(found), tuple(dark)

    def named(self, site: Site) -> Target | None:
        """`bus.call("Cleaner", "clean", …)`, `bus.call("Cleaner.clean", …)`."""
        # Only on an attribute: a plain function named `request` is somebody's own.
        if not any(isinstance(v, Attr) and v.name in BY_NAME for v in site.call.function):
            return None
        texts: list[str] = []
        for values in site.call.args[:2]:
            known = [self._text(site.path, values)]
            if known == [None]:
                break
            texts += [t for t in known if t is not None]
        if len(texts) == 2:
            return Target(named=(texts[0], texts[1]), shift=2)
        if len(texts) == 1 and "." in texts[0]:
            node, _, method = texts[0].rpartition(".")
            return Target(named=(node, method), shift=1)
        return None

    def _text(self, path: str, values: Values, steps: int = 0) -> str | None:
        match values:
            case (Const(value=str() as text),):
                return text
            case (Global(name=name),) if steps < 5:
                found = self.index.look_up(path, name)
                return self._text(found[0], found[1], steps + 1) if isinstance(found, tuple) else None
        return None

    # ---- what a function is given

    def of(self, path: str, function: str) -> Iterator[tuple[Site, Target]]:
        """The calls that reach a function, a constructor with them."""
        code = self.index.facts[path].functions.get(function)
        last = function.rpartition(".")[2]
        words = [last]
        if last in ("__init__", "__post_init__") and code is not None and code.cls:
            # An object is made by the class's name, by `cls` in a classmethod, and by `super` from below.
            words = [code.cls.rpartition(".")[2], "cls", "super"]
        for word in words:
            for site in self.reaching(word):
                for target in self.targets(site)[0]:
                    if (target.code is not None and (target.code.path, target.code.name) == (path, function)) or (
                        target.cls is not None and self.constructor(target.cls) == (path, function)
                    ):
                        yield site, target

    def constructor(self, cls: Type) -> tuple[str, str] | None:
        """Where the `__init__` of a class stands."""
        family = self.index.classes(cls.path, cls.name)
        return next(((where, one.methods["__init__"]) for where, one in family if "__init__" in one.methods), None)

    def given(self, path: str, function: str, parameter: str) -> list[tuple[str, Values]]:
        """What the calls of a function give to one parameter, each with the file of the call."""
        at = self.index.facts[path].functions.get(function)
        found: list[tuple[str, Values]] = []
        for count, (site, target) in enumerate(self.of(path, function)):
            if at is None:
                break
            if count >= MAX_SITES:
                more = (Unknown(at.line, "one of more calls than are read"),)
                return [*found, (path, more)] if self.objects.doubts is not None else found
            values = bound(at, site.call, target.shift).get(parameter)
            if not values and self.objects.doubts is not None:
                spread = (one for given in site.call.spreads for one in given if isinstance(one, Record))
                values = next((one.fields[parameter] for one in spread if parameter in one.fields), None)
            if not values and self.objects.doubts is not None and (site.call.starred or site.call.spreads):
                values = (Unknown(site.call.line, "given by `*` or `**`"),)
            if values:
                found.append((site.path, values))
        return found


def bound(function: Function, call: Call, shift: int = 0) -> dict[str, Values]:
    """The values that a call gives to each parameter by position or keyword; `**` and `*` are left out."""
    # `self` is bound by the object before any argument is.
    skip = 1 if function.cls and "staticmethod" not in function.decorators else 0
    positional = [p.name for p in function.parameters if p.kind.startswith("positional")][skip:]
    found = dict(zip(positional, call.args[shift:], strict=False))
    names = {p.name for p in function.parameters if p.kind != "positional_only"}
    found.update({name: values for name, values in call.keywords.items() if name in names})
    return found


def word_of(value: object) -> str:
    """The last word of what is called."""
    match value:
        case Attr(name=name):
            return name
        case Global(name=name):
            return name
        case Param(name="cls"):
            return "cls"
    return ""


def _shift(function: Function | None, on: Kind | None) -> int:
    """`Cleaner.clean(cleaner, …)`: the object is the first argument."""
    if function is None or not isinstance(on, Type) or not function.cls:
        return 0
    return 0 if {"classmethod", "staticmethod"} & set(function.decorators) else 1
