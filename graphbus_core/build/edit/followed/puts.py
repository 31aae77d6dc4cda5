"""What code puts into objects, variables and containers from outside, whatever their hints say.

Evidence believes hints; an edit that rests on one must know that nothing else is put there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphbus_core.build.understand.callers import Callers
from graphbus_core.build.understand.index import Box, Dark, Kind, Module, Outside, Thing, Type, of_the_project
from graphbus_core.build.understand.text.values import Attr, Class, Function, Global, Param, Unknown, Value, Values

MAX_FILLS = 3  # functions that hand a container on to the one that fills it
REPLACING = ("replace", "_replace", "__replace__", "evolve", "assoc", "model_construct")  # another of its kind


class Puts:
    """What code puts into objects, variables and containers from outside, whatever their hints say.

    Of what is put in at a place that may be meant, the project's own objects count; where it is surely meant, also
    what nobody can tell.
    """

    def __init__(self, callers: Callers, is_handed_on: Callable[[str, Function | Class], bool]) -> None:
        self._callers, self._index, self._objects = callers, callers.index, callers.objects
        self.is_handed_on = is_handed_on
        self._fills: list[tuple[str, Value, str, Values]] = []  # file and container, file and what is put into it
        self._is_prepared = False
        self._below: dict[str, list[str]] | None = None  # the name of a base: those of the classes below it

    def _prepare(self) -> None:
        """Find which containers are given to functions that fill them. What was answered without that is forgotten."""
        self._is_prepared = True
        waiting = [(v, path, put.value, 0) for path, put in self._index.puts("") for v in put.of]
        for value, path, put, steps in waiting:
            if isinstance(value, Param):
                for where, given in self._callers.given(path, value.function, value.name):
                    self._fills += [(where, one, path, put) for one in given if not isinstance(one, Param)]
                    if steps < MAX_FILLS:
                        waiting += [(one, where, put, steps + 1) for one in given if isinstance(one, Param)]
        if self._fills:
            self._objects.forget()

    def attribute(self, kind: Kind, name: str, depth: int) -> Iterator[Kind]:
        """What `x.name = …` puts there, where `x` may be of this kind."""
        for path, store in self._index.stores(name):
            if store.key != name and not isinstance(kind, Thing | Type):
                continue
            on = self._objects.of(path, store.of, depth)
            computed = store.key != name  # of what nobody knows, under a name that nobody knows: anything
            if any(self._may_be(kind, one) for one in on if not (computed and isinstance(one, Dark))):
                put = self._objects.of(path, store.value, depth)
                yield from put if kind in on and not computed else of_the_project(put)
        for path, more in (
            self._index.puts("__dict__") if isinstance(kind, Thing | Type) else ()
        ):  # `vars(x)["name"] = …`
            onto = [v.of for v in more.of if isinstance(v, Attr) and v.name == "__dict__"]
            if any(self._may_be(kind, one) for of in onto for one in self._objects.of(path, of, depth)):
                yield from self._put(path, more.value, depth)

    def _may_be(self, kind: Kind, other: Kind) -> bool:
        if not (isinstance(kind, Thing | Type) and isinstance(other, Thing | Type)):
            same = isinstance(kind, Module) and isinstance(other, Module) and kind.name == other.name
            return same or isinstance(other, Dark) or (isinstance(kind, Outside) and isinstance(other, Outside))
        one, two = (kind.path, kind.name), (other.path, other.name)
        return one in self._index.family(*two) or two in self._index.family(*one)

    def variable(self, path: str, name: str, depth: int) -> Iterator[Kind]:
        """What `module.name = …` puts into a file's variable."""
        for where, store in self._index.stores(name):
            if store.key != name:
                continue
            patched = any(isinstance(one, Unknown) for one in store.of)
            on = [one for one in self._objects.of(where, store.of, depth) if isinstance(one, Module)]
            if patched or any(self._index.facts.module(one.name, one.seen_from or where) == path for one in on):
                yield from of_the_project(self._objects.of(where, store.value, depth))

    def field(self, path: str, cls: Class, name: str, depth: int) -> Iterator[Kind]:
        """What calls give to the field of a class without an `__init__`: a dataclass, a NamedTuple."""
        if "__init__" in cls.methods and not self._takes_any(path, cls.methods["__init__"]):
            return
        at = list(cls.hints).index(name)
        word = cls.name.rpartition(".")[2]
        for site in (one for made in (word, "cls", *self._heirs(word)) for one in self._callers.reaching(made)):
            made = [one.cls for one in self._callers.targets(site)[0] if one.cls is not None]
            if any((path, cls.name) in self._index.family(one.path, one.name) for one in made):
                given = site.call.keywords.get(name) or (site.call.args[at] if at < len(site.call.args) else ())
                yield from of_the_project(self._objects.of(site.path, given, depth))
                for spread in site.call.spreads:
                    inside = self._objects.of(site.path, spread, depth)
                    yield from of_the_project(k for one in inside if isinstance(one, Box) for k in one.elements)
                if site.call.starred:
                    yield Dark(f"{site.place} gives `*`")
        for site in (one for word in REPLACING for one in self._callers.sites(word)):
            yield from of_the_project(self._objects.of(site.path, site.call.keywords.get(name, ()), depth))
        if self.is_handed_on(path, cls):
            yield Dark(f"{path}:{cls.line}: others may make a `{word}`")

    def _takes_any(self, path: str, function: str) -> bool:
        code = self._index.facts[path].functions.get(function)
        return code is not None and any(one.kind == "var_keyword" for one in code.parameters)

    def _heirs(self, word: str) -> list[str]:
        """The names of the classes that are written with a base of that name, and of those that come from them."""
        if self._below is None:
            self._below = {}
            for cls in (cls for path in self._index.facts for cls in self._index.facts[path].classes.values()):
                for base in cls.bases:
                    last = base.partition("[")[0].rpartition(".")[2]
                    self._below.setdefault(last, []).append(cls.name.rpartition(".")[2])
        found: dict[str, None] = {}
        waiting = [word]
        while waiting:
            for heir in self._below.get(waiting.pop(), ()):
                if heir not in found and heir != word:
                    found[heir] = None
                    waiting.append(heir)
        return list(found)

    def elements(self, path: str, of: Values, depth: int) -> Iterator[Kind]:
        """What `x.append(…)` and `x[…] = …` put into a container that goes by the same name."""
        if not self._is_prepared:
            self._prepare()
        for where, filled, at, put in self._fills:
            if any(one is filled or self._is_same(path, one, where, filled, depth) for one in of):
                yield from self._put(at, put, depth)
        for value in of:
            if isinstance(value, Attr | Global):
                for where, one in self._index.puts(value.name):
                    if any(self._is_same(path, value, where, onto, depth) for onto in one.of):
                        yield from self._put(where, one.value, depth)

    def _put(self, where: str, value: Values, depth: int) -> Iterator[Kind]:
        for kind in of_the_project(self._objects.of(where, value, depth)):
            yield from (kind, *(kind.elements if isinstance(kind, Box) else ()))  # `of[:] = [value]`

    def _is_same(self, path: str, one: Value, where: str, other: Value, depth: int) -> bool:
        match one, other:
            case Global(name=name), Global(name=second):
                return name == second and self._index.look_up(path, name) == self._index.look_up(where, name)
            case Attr(name=name, of=of), Attr(name=second, of=onto) if name == second:
                on = self._objects.of(where, onto, depth)
                return any(self._may_be(kind, two) for kind in self._objects.of(path, of, depth) for two in on)
        return False
