"""Who calls a function, in the whole project.

Each call with the functions it may reach, and the values it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from graphbus_core.analysis.connections import Connections
from graphbus_core.analysis.flow_types import BY_NAME
from graphbus_core.analysis.index import ClassRef, FunctionRef, Index, Kind, Unresolved
from graphbus_core.analysis.objects import ObjectResolver
from graphbus_core.analysis.values import Attr, Call, Const, Function, Global, Param, Record, Unknown, Values

# What thirty calls give to a parameter is what it takes. Common functions are called a thousand times.
MAX_SITES = 30  # of calls that are asked what they give to a parameter


@dataclass(frozen=True, slots=True)
class CallSite:
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

    code: FunctionRef | None = None
    cls: ClassRef | None = None
    named: tuple[str, str] | None = None
    shift: int = 0  # arguments by position before the function's own


Reached: TypeAlias = "tuple[tuple[Target, ...], tuple[str, ...]]"


class Callers:
    """Calls by the word that is called, and what they reach. `connections`: what is not related to the agents is not
    asked for calls, since it knows no function that they meet."""

    def __init__(self, index: Index, objects: ObjectResolver, connections: Connections | None = None) -> None:
        self.index, self.objects, self._connections = index, objects, connections
        objects.given = self.find_given_values
        self._sites: dict[str, list[CallSite]] = {}
        self._reaching: dict[str, tuple[list[CallSite], frozenset[str]]] = {}
        self._indexed: dict[str, dict[str, list[CallSite]]] = {}
        self._targets: dict[tuple[str, int], tuple[Reached, frozenset[str] | None]] = {}

    def find_sites(self, word: str) -> list[CallSite]:
        """Every call of the project whose function's last word this is."""
        if word not in self._sites:
            paths = self.index.facts.find_calling(word)
            self._sites[word] = [site for path in paths for site in self.index_file(path).get(word, ())]
        return self._sites[word]

    def find_reaching_sites(self, word: str) -> list[CallSite]:
        """Those of them that may reach a function of the project."""
        reads = self.index.facts.reads
        cached = self._reaching.get(word)
        if cached is None:
            reads.begin()
            reads.add_word(word)
            among = self._connections.related if self._connections is not None else None
            paths = self.index.facts.find_reaching(word, among)
            sites = [site for path in paths for site in self.index_file(path).get(word, ())]
            cached = self._reaching[word] = sites, reads.end()
        reads.add_reads(cached[1])
        return cached[0]

    def index_file(self, path: str) -> Mapping[str, list[CallSite]]:
        """The calls of a file by the last word of what is called, and by the one an import renamed."""
        # Noted each time, also from memory: an answer rests on this file whether or not it was parsed for it.
        facts = self.index.facts[path]  # asked for each time: whoever looks at a file's calls rests on the file
        if path not in self._indexed:
            sites_by_word = self._indexed[path] = {}
            for number, call in enumerate(facts.calls):
                words = {read_called_word(v) for v in call.function} - {""}
                imports = (facts.imports.get(word, ()) for word in words)
                for word in words.union(own for ways in imports for _, own in ways if own):
                    sites_by_word.setdefault(word, []).append(CallSite(path, number, call))
        return self._indexed[path]

    def find_targets(self, site: CallSite) -> Reached:
        """What a call may reach; and why nobody can tell, where that is so."""
        key, reads = (site.path, site.number), self.index.facts.reads
        cached = self._targets.get(key)
        if cached is not None:
            reads.add_reads(cached[1])
            return cached[0]
        # A call inside its own argument. Nothing is reached through it that is not reached without it.
        self._targets[key] = ((), ()), None  # a call that is asked about itself
        reads.begin()
        reached = self._resolve_targets(site)
        self._targets[key] = reached, reads.end()
        return reached

    def _resolve_targets(self, site: CallSite) -> Reached:
        targets: list[Target] = []
        dark: list[str] = []
        if (named_target := self.find_named_target(site)) is not None:
            return (named_target,), ()
        for kind in self.objects.resolve(site.path, site.call.function):
            match kind:
                case FunctionRef(on=on):
                    function = self.index.find_function(kind)
                    targets.append(Target(code=kind, shift=_count_shift(function, on)))
                case ClassRef():
                    targets.append(Target(cls=kind))
                case Unresolved(why=why):
                    dark.append(why)
        return tuple(targets), tuple(dark)

    def find_named_target(self, site: CallSite) -> Target | None:
        """`bus.call("Cleaner", "clean", …)`, `bus.call("Cleaner.clean", …)`."""
        # Only on an attribute: a plain function named `request` is somebody's own.
        if not any(isinstance(v, Attr) and v.name in BY_NAME for v in site.call.function):
            return None
        texts: list[str] = []
        for values in site.call.args[:2]:
            read_texts = [self._read_text(site.path, values)]
            if read_texts == [None]:
                break
            texts += [t for t in read_texts if t is not None]
        if len(texts) == 2:
            return Target(named=(texts[0], texts[1]), shift=2)
        if len(texts) == 1 and "." in texts[0]:
            node, _, method = texts[0].rpartition(".")
            return Target(named=(node, method), shift=1)
        return None

    def _read_text(self, path: str, values: Values, steps: int = 0) -> str | None:
        match values:
            case (Const(value=str() as text),):
                return text
            case (Global(name=name),) if steps < 5:
                resolved = self.index.look_up(path, name)
                return self._read_text(resolved[0], resolved[1], steps + 1) if isinstance(resolved, tuple) else None
        return None

    # ---- what a function is given

    def find_calls(self, path: str, function: str) -> Iterator[tuple[CallSite, Target]]:
        """The calls that reach a function, a constructor with them."""
        code = self.index.facts[path].functions.get(function)
        last = function.rpartition(".")[2]
        words = [last]
        if last in ("__init__", "__post_init__") and code is not None and code.cls:
            # An object is made by the class's name, by `cls` in a classmethod, and by `super` from below.
            words = [code.cls.rpartition(".")[2], "cls", "super"]
        for word in words:
            for site in self.find_reaching_sites(word):
                for target in self.find_targets(site)[0]:
                    if (target.code is not None and (target.code.path, target.code.name) == (path, function)) or (
                        target.cls is not None and self.find_constructor(target.cls) == (path, function)
                    ):
                        yield site, target

    def find_constructor(self, cls: ClassRef) -> tuple[str, str] | None:
        """Where the `__init__` of a class stands."""
        family = self.index.iter_classes(cls.path, cls.name)
        return next(
            (
                (where, class_facts.methods["__init__"])
                for where, class_facts in family
                if "__init__" in class_facts.methods
            ),
            None,
        )

    def find_given_values(self, path: str, function: str, parameter: str) -> list[tuple[str, Values]]:
        """What the calls of a function give to one parameter, each with the file of the call."""
        callee = self.index.facts[path].functions.get(function)
        results: list[tuple[str, Values]] = []
        for count, (site, target) in enumerate(self.find_calls(path, function)):
            if callee is None:
                break
            if count >= MAX_SITES:
                more = (Unknown(callee.line, "one of more calls than are read"),)
                return [*results, (path, more)] if self.objects.doubts is not None else results
            values = bind_arguments(callee, site.call, target.shift).get(parameter)
            if not values and self.objects.doubts is not None:
                spread = (
                    record
                    for spread_values in site.call.spreads
                    for record in spread_values
                    if isinstance(record, Record)
                )
                values = next((record.fields[parameter] for record in spread if parameter in record.fields), None)
            if not values and self.objects.doubts is not None and (site.call.starred or site.call.spreads):
                values = (Unknown(site.call.line, "given by `*` or `**`"),)
            if values:
                results.append((site.path, values))
        return results


def bind_arguments(function: Function, call: Call, shift: int = 0) -> dict[str, Values]:
    """The values that a call gives to each parameter by position or keyword; `**` and `*` are left out."""
    # `self` is bound by the object before any argument is.
    skip = 1 if function.cls and "staticmethod" not in function.decorators else 0
    positional = [p.name for p in function.parameters if p.kind.startswith("positional")][skip:]
    arguments = dict(zip(positional, call.args[shift:], strict=False))
    names = {p.name for p in function.parameters if p.kind != "positional_only"}
    arguments.update({name: values for name, values in call.keywords.items() if name in names})
    return arguments


def read_called_word(value: object) -> str:
    """The last word of what is called."""
    match value:
        case Attr(name=name):
            return name
        case Global(name=name):
            return name
        case Param(name="cls"):
            return "cls"
    return ""


def _count_shift(function: Function | None, on: Kind | None) -> int:
    """`Cleaner.clean(cleaner, …)`: the object is the first argument."""
    if function is None or not isinstance(on, ClassRef) or not function.cls:
        return 0
    return 0 if {"classmethod", "staticmethod"} & set(function.decorators) else 1
