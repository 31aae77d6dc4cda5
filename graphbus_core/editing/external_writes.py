"""What code puts into objects, variables and containers from outside, whatever their hints say.

Evidence believes hints; an edit that rests on one must know that nothing else is put there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphbus_core.analysis.callers import Callers
from graphbus_core.analysis.index import (
    ClassRef,
    Container,
    ExternalRef,
    Instance,
    Kind,
    ModuleRef,
    Unresolved,
    select_project_kinds,
)
from graphbus_core.analysis.values import Attr, Class, Function, Global, Param, Unknown, Value, Values

MAX_FILLS = 3  # functions that hand a container on to the one that fills it
REPLACING = ("replace", "_replace", "__replace__", "evolve", "assoc", "model_construct")  # another of its kind


class ExternalWrites:
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

    def _find_container_fills(self) -> None:
        """Find which containers are given to functions that fill them. What was answered without that is forgotten."""
        self._is_prepared = True
        waiting = [(v, path, stored.value, 0) for path, stored in self._index.find_puts("") for v in stored.of]
        for value, path, stored, steps in waiting:
            if isinstance(value, Param):
                for where, arguments in self._callers.find_given_values(path, value.function, value.name):
                    self._fills += [
                        (where, argument, path, stored) for argument in arguments if not isinstance(argument, Param)
                    ]
                    if steps < MAX_FILLS:
                        waiting += [
                            (argument, where, stored, steps + 1)
                            for argument in arguments
                            if isinstance(argument, Param)
                        ]
        if self._fills:
            self._objects.forget()

    def attribute(self, kind: Kind, name: str, depth: int) -> Iterator[Kind]:
        """What `x.name = …` puts there, where `x` may be of this kind."""
        for path, store in self._index.find_stores(name):
            if store.key != name and not isinstance(kind, Instance | ClassRef):
                continue
            on = self._objects.resolve(path, store.of, depth)
            computed = store.key != name  # of what nobody knows, under a name that nobody knows: anything
            if any(
                self._may_be(kind, candidate)
                for candidate in on
                if not (computed and isinstance(candidate, Unresolved))
            ):
                stored = self._objects.resolve(path, store.value, depth)
                yield from stored if kind in on and not computed else select_project_kinds(stored)
        for path, more in (
            self._index.find_puts("__dict__") if isinstance(kind, Instance | ClassRef) else ()
        ):  # `vars(x)["name"] = …`
            onto = [v.of for v in more.of if isinstance(v, Attr) and v.name == "__dict__"]
            if any(
                self._may_be(kind, candidate)
                for target in onto
                for candidate in self._objects.resolve(path, target, depth)
            ):
                yield from self._iter_stored_kinds(path, more.value, depth)

    def _may_be(self, kind: Kind, other: Kind) -> bool:
        if not (isinstance(kind, Instance | ClassRef) and isinstance(other, Instance | ClassRef)):
            same = isinstance(kind, ModuleRef) and isinstance(other, ModuleRef) and kind.name == other.name
            return (
                same
                or isinstance(other, Unresolved)
                or (isinstance(kind, ExternalRef) and isinstance(other, ExternalRef))
            )
        first, second = (kind.path, kind.name), (other.path, other.name)
        return first in self._index.find_family(*second) or second in self._index.find_family(*first)

    def variable(self, path: str, name: str, depth: int) -> Iterator[Kind]:
        """What `module.name = …` puts into a file's variable."""
        for where, store in self._index.find_stores(name):
            if store.key != name:
                continue
            patched = any(isinstance(candidate, Unknown) for candidate in store.of)
            on = [
                candidate
                for candidate in self._objects.resolve(where, store.of, depth)
                if isinstance(candidate, ModuleRef)
            ]
            if patched or any(
                self._index.facts.find_module(candidate.name, candidate.seen_from or where) == path for candidate in on
            ):
                yield from select_project_kinds(self._objects.resolve(where, store.value, depth))

    def field(self, path: str, cls: Class, name: str, depth: int) -> Iterator[Kind]:
        """What calls give to the field of a class without an `__init__`: a dataclass, a NamedTuple."""
        if "__init__" in cls.methods and not self._has_keyword_catch_all(path, cls.methods["__init__"]):
            return
        index = list(cls.hints).index(name)
        word = cls.name.rpartition(".")[2]
        for site in (
            candidate
            for constructed in (word, "cls", *self._find_subclass_names(word))
            for candidate in self._callers.find_reaching_sites(constructed)
        ):
            constructed = [
                candidate.cls for candidate in self._callers.find_targets(site)[0] if candidate.cls is not None
            ]
            if any(
                (path, cls.name) in self._index.find_family(candidate.path, candidate.name) for candidate in constructed
            ):
                arguments = site.call.keywords.get(name) or (
                    site.call.args[index] if index < len(site.call.args) else ()
                )
                yield from select_project_kinds(self._objects.resolve(site.path, arguments, depth))
                for spread in site.call.spreads:
                    inside = self._objects.resolve(site.path, spread, depth)
                    yield from select_project_kinds(
                        k for candidate in inside if isinstance(candidate, Container) for k in candidate.elements
                    )
                if site.call.starred:
                    yield Unresolved(f"{site.place} gives `*`")
        for site in (candidate for word in REPLACING for candidate in self._callers.find_sites(word)):
            yield from select_project_kinds(self._objects.resolve(site.path, site.call.keywords.get(name, ()), depth))
        if self.is_handed_on(path, cls):
            yield Unresolved(f"{path}:{cls.line}: others may make a `{word}`")

    def _has_keyword_catch_all(self, path: str, function: str) -> bool:
        code = self._index.facts[path].functions.get(function)
        return code is not None and any(parameter.kind == "var_keyword" for parameter in code.parameters)

    def _find_subclass_names(self, word: str) -> list[str]:
        """The names of the classes that are written with a base of that name, and of those that come from them."""
        if self._below is None:
            self._below = {}
            for cls in (cls for path in self._index.facts for cls in self._index.facts[path].classes.values()):
                for base in cls.bases:
                    last = base.partition("[")[0].rpartition(".")[2]
                    self._below.setdefault(last, []).append(cls.name.rpartition(".")[2])
        subclasses: dict[str, None] = {}
        waiting = [word]
        while waiting:
            for heir in self._below.get(waiting.pop(), ()):
                if heir not in subclasses and heir != word:
                    subclasses[heir] = None
                    waiting.append(heir)
        return list(subclasses)

    def elements(self, path: str, of: Values, depth: int) -> Iterator[Kind]:
        """What `x.append(…)` and `x[…] = …` put into a container that goes by the same name."""
        if not self._is_prepared:
            self._find_container_fills()
        for where, filled, put_path, stored in self._fills:
            if any(
                candidate is filled or self._is_same_container(path, candidate, where, filled, depth)
                for candidate in of
            ):
                yield from self._iter_stored_kinds(put_path, stored, depth)
        for value in of:
            if isinstance(value, Attr | Global):
                for where, candidate in self._index.find_puts(value.name):
                    if any(self._is_same_container(path, value, where, onto, depth) for onto in candidate.of):
                        yield from self._iter_stored_kinds(where, candidate.value, depth)

    def _iter_stored_kinds(self, where: str, value: Values, depth: int) -> Iterator[Kind]:
        for kind in select_project_kinds(self._objects.resolve(where, value, depth)):
            yield from (kind, *(kind.elements if isinstance(kind, Container) else ()))  # `of[:] = [value]`

    def _is_same_container(self, path: str, value: Value, where: str, other: Value, depth: int) -> bool:
        match value, other:
            case Global(name=name), Global(name=second):
                return name == second and self._index.look_up(path, name) == self._index.look_up(where, name)
            case Attr(name=name, of=of), Attr(name=second, of=onto) if name == second:
                on = self._objects.resolve(where, onto, depth)
                return any(self._may_be(kind, two) for kind in self._objects.resolve(path, of, depth) for two in on)
        return False
