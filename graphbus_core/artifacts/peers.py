"""Which nodes read what another node of the build may change: several processes would show them several states of it.

Who changes runs alone, too, where another node reads that, though it may learn nothing of it itself: a generator that
it seeds, a table that it fills anew. Each process of it would change one of its own, and the reader see one of them.

What a node uses (`Uses`) rests on the files that its own analysis followed, and on no other: where it may use all that
it can load, a sign stands for that, and not a list of modules that grows with the project. The signs are expanded
here, where the imports of all modules are at hand, and only where some node of the build changes anything at all:
whoever changes is carried along the imports, two nodes for each module, for one of them is not the reader. So the join
costs one look at each import, however many nodes there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

EVERYTHING = "*"  # of a module
HELD = ""  # something of a module holds what is read
ALL_IT_LOADS = ":*"  # of every module that the node loads (`Uses.loads`), and that these may load
KEPT = "kept"  # after what is used of the library, by its dotted name: what that may ask of packages; but for logging
LOGGING = "logging:*"  # read by name alone: who only writes lines goes on the same, whatever its level is
_BUILTINS = "builtins"  # a package that each module has
Actor = tuple[int, str]  # the place of a node in the list, and where it does it
ImportsOf = Callable[[str], Collection[str] | None]  # what a module may import; None: it is not of the project


@dataclass(frozen=True)
class Uses:
    """What a node uses, while it handles events, of what lasts longer: `module:what`, the same for every node.

    `changes` tells where (file and line) each may be changed. `fills` are memos, by which code each is filled, and
    where: whoever looks up by that code finds the same, whether or not it was filled before. In `hands` the node puts
    what is its own and what it reads: whoever reads that may change it. `loads` are the modules that were followed.
    `given`: what a package, not of the project, was given at set up: a change of what that keeps may be one of it.
    `placed_reads`: the reads of a node that runs in one place, whoever changes them; who does has to run there, too.
    """

    reads: frozenset[str] = frozenset()
    changes: Mapping[str, str] = field(default_factory=dict)
    fills: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hands: Mapping[str, str] = field(default_factory=dict)
    loads: Sequence[str] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    placed_reads: Sequence[str] = ()

    def to_list(self) -> list[Any]:
        """The form in the scan's cache."""
        if self == NO_USES:
            return []
        mappings = map(dict, (self.changes, self.fills, self.hands))
        return [sorted(self.reads), *mappings, [*self.loads], dict(self.given), [*self.placed_reads]]

    @classmethod
    def from_list(cls, written: Sequence[Any]) -> Uses:
        """The other way round."""
        return cls(frozenset(written[0]), *written[1:]) if written else NO_USES

    def without_reads(self) -> Uses:
        """The same of a node that is shared, whatever it reads."""
        return Uses(changes=self.changes, loads=self.loads if self.changes else (), given=self.given)

    def place_reads(self) -> Uses:
        """The same of a node that runs in one place, whatever it reads."""
        reads = sorted(self.reads) or self.placed_reads
        return Uses(
            changes=self.changes,
            fills=self.fills,
            hands=self.hands,
            loads=self.loads,
            given=self.given,
            placed_reads=reads,
        )


NO_USES = Uses()


def find_shared_objects(nodes: Sequence[tuple[str, Uses]], imports_of: ImportsOf) -> dict[int, str]:
    """Nodes that read what another one may change, by their places in the list, and which one and where."""
    if not any(uses.changes or uses.fills or uses.hands for _, uses in nodes):
        return {}
    index = _Index(nodes, imports_of)
    reasons: dict[int, str] = {}
    for reader, (_, uses) in enumerate(nodes):
        if not uses.reads:  # it is said already how it is placed
            continue
        others = chain(
            (index.find_other(reader, name) for name in sorted(uses.reads)),
            (index.find_other(reader, name, how) for name, (how, _) in uses.fills.items()),
            (index.find_reader(reader, name, where) for name, where in uses.hands.items()),
        )
        if (other := next(filter(None, others), None)) is not None:
            reasons[reader] = f"it reads what {nodes[other[0]][0]} may change ({other[1]})"
            continue
        readers = (index.find_reader(reader, name, where) for name, where in uses.changes.items())
        if (other := next(filter(None, readers), None)) is not None:
            reasons[reader] = f"it may change what {nodes[other[0]][0]} reads ({other[1]})"
    return reasons


def find_groups(
    nodes: Sequence[tuple[str, Uses]], alone: Collection[int], imports_of: ImportsOf
) -> list[tuple[int, ...]]:
    """Nodes that run in one place each, and have to run in the same one: one of them reads what another may change.
    Where one may change everything, that is a group of all that may load it, which is safe. By places in the list."""
    if len(alone) < 2 or not any(nodes[place][1].changes or nodes[place][1].fills for place in alone):
        return []
    chosen = sorted(alone)  # a node that says it is shared wants no place
    index = _Index([nodes[place] for place in chosen], imports_of)
    group_of = list(range(len(chosen)))

    def find(place: int) -> int:
        while group_of[place] != place:
            place = group_of[place]
        return place

    for place, (_, uses) in enumerate(index.nodes):
        actors = [index.find_other(place, name) for name in sorted(uses.reads) or uses.placed_reads]
        names = {**uses.hands, **{name: where for name, (_, where) in uses.fills.items()}, **uses.changes}
        actors += [index.find_reader(place, name, where) for name, where in names.items()]
        for actor in filter(None, actors):
            first, second = sorted((find(place), find(actor[0])))
            group_of[second] = first
    groups: dict[int, list[int]] = {}
    for place, node in enumerate(chosen):
        groups.setdefault(find(place), []).append(node)
    return [tuple(group) for group in groups.values() if len(group) > 1]


class _Actors:
    """Nodes by name of what they do something to. Two of each are enough: one of them is not who asks."""

    def __init__(self) -> None:
        self.named: dict[str, list[Actor]] = {}

    def add(self, name: str, actor: Actor) -> bool:
        """Whether that is one more."""
        known = self.named.setdefault(name, [])
        is_more = len(known) < 2 and actor[0] not in [place for place, _ in known]
        if is_more:
            known.append(actor)
        return is_more

    def get(self, name: str) -> Sequence[Actor]:
        """Those of this name."""
        return self.named.get(name, ())

    def spread(self, links: Callable[[str], Iterable[str]]) -> _Actors:
        """These, and the same for all names that are linked to theirs."""
        reached = _Actors()
        waiting = [(name, actor) for name, actors in self.named.items() for actor in actors]
        while waiting:
            name, actor = waiting.pop()
            if reached.add(name, actor):
                waiting += [(linked, actor) for linked in links(name)]
        return reached


class _Imports:
    """The imports of all modules that the nodes of a build may load, in both directions."""

    def __init__(self, nodes: Sequence[tuple[str, Uses]], imports_of: ImportsOf) -> None:
        self._of: dict[str, set[str]] = {}
        self._importers: dict[str, list[str]] = {}
        waiting = [name for _, uses in nodes for name in uses.loads]
        while waiting:
            name = waiting.pop()
            if name in self._of or (imported := imports_of(name)) is None:
                continue
            self._of[name] = {*imported, *filter(None, [name.rpartition(".")[0]])}
            waiting += self._of[name]
        for name, names in self._of.items():
            packages = {part.partition(".")[0] for part in names if part not in self._of}
            for part in (*names, *(packages - self._of.keys()), _BUILTINS):
                self._importers.setdefault(part, []).append(name)

    def list_imported(self, module: str) -> Iterable[str]:
        """The modules of the project that it imports."""
        return (name for name in self._of.get(module, ()) if name in self._of)

    def list_importers(self, module: str) -> Iterable[str]:
        """The modules of the project that import it."""
        return self._importers.get(module, ())

    def is_own(self, module: str) -> bool:
        """Whether it is of the project."""
        return module in self._of


class _Index:
    """Who changes what, and who reads it."""

    def __init__(self, nodes: Sequence[tuple[str, Uses]], imports_of: ImportsOf) -> None:
        imports = _Imports(nodes, imports_of)
        self.nodes = nodes
        self._changed, self._read, self._filled = _Actors(), _Actors(), _Actors()
        change_all, read_all = _Actors(), _Actors()  # by the modules that are loaded
        self._ways: dict[str, dict[str, _Actors]] = {}
        for place, (_, uses) in enumerate(nodes):
            for name, where in uses.changes.items():
                for module in uses.loads if name == ALL_IT_LOADS else ():
                    change_all.add(module, (place, where))
                self._changed.add(name, (place, where))
            for name, (how, where) in uses.fills.items():
                ways = self._ways.setdefault(name, {})
                if how in ways or len(ways) < 3:
                    ways.setdefault(how, _Actors()).add(name, (place, where))
                self._filled.add(name, (place, where))
            for name in (*uses.reads, *uses.placed_reads):
                for module in uses.loads if name == ALL_IT_LOADS else ():
                    read_all.add(module, (place, ""))
                self._read.add(name, (place, ""))
        for name, package in {item for _, uses in nodes for item in uses.given.items()}:
            for actor in [*self._changed.get(f"{package}:{EVERYTHING}")]:
                self._changed.add(name, actor)
        self._changes_all = _merge(change_all.spread(imports.list_imported), _pick_everything(self._changed))
        self._reads_all = _merge(read_all.spread(imports.list_imported), _pick_everything(self._read))
        self._changes_in = _merge(self._changes_all, _group_by_module(self._changed), _group_by_module(self._filled))
        self._reads_in = _merge(self._reads_all, _group_by_module(self._read))
        modules = _Actors()
        self._kept: dict[str, _Actors] = {}  # by packages that are not of the project
        for module, actors in self._changes_in.named.items():
            if imports.is_own(module):
                modules.named[module] = actors
            elif f"{module}:{EVERYTHING}" != LOGGING:
                changed = _Actors()
                changed.named[module] = actors
                self._kept[module] = changed.spread(imports.list_importers)
        self._loadable_changes = modules.spread(imports.list_importers)
        self._loadable_reads = self._reads_in.spread(imports.list_importers)

    def find_other(self, reader: int, name: str, how: str | None = None) -> Actor | None:
        """Who else changes it, or fills it in another way."""
        module, _, what = name.partition(":")
        loads = self.nodes[reader][1].loads
        actors: list[Actor] = []
        if what == KEPT:
            for changers in self._list_asked(module):
                actors += chain.from_iterable(map(changers.get, loads))
        elif name == ALL_IT_LOADS:
            actors += chain.from_iterable(map(self._loadable_changes.get, loads))
        elif what == EVERYTHING:
            actors += self._changes_in.get(module)
        else:
            actors += self._changes_all.get(module)
        if what not in (EVERYTHING, HELD, KEPT):
            actors += self._changed.get(name)
            actors += [a for way, fillers in self._ways.get(name, {}).items() if way != how for a in fillers.get(name)]
        return next((actor for actor in actors if actor[0] != reader), None)

    def _list_asked(self, used: str) -> Iterable[_Actors]:
        """Who changes what a name of the library may ask of packages, by the modules that may load these."""
        if not self._kept:
            return ()
        from graphbus_core.artifacts.library_reach import list_asked  # it reads the sources of the library

        packages = list_asked(used)
        return (known for name, known in self._kept.items() if packages is None or name in packages)

    def find_reader(self, owner: int, name: str, where: str) -> Actor | None:
        """Who else reads it, or anything of its module."""
        module, _, what = name.partition(":")
        readers: list[Actor] = []
        if name == ALL_IT_LOADS:
            readers += chain.from_iterable(map(self._loadable_reads.get, self.nodes[owner][1].loads))
        else:
            readers += self._reads_in.get(module) if what == EVERYTHING else self._reads_all.get(module)
            readers += self._read.get(name)
        return next(((place, where) for place, _ in readers if place != owner), None)


def _merge(*listed: _Actors) -> _Actors:
    merged = _Actors()
    for actors in listed:
        for name, known in actors.named.items():
            for actor in known:
                merged.add(name, actor)
    return merged


def _pick_everything(actors: _Actors) -> _Actors:
    """Those that do it to all of a module, by the module."""
    picked = _Actors()
    for name, known in actors.named.items():
        module, _, what = name.partition(":")
        if module and what == EVERYTHING:
            picked.named[module] = known
    return picked


def _group_by_module(actors: _Actors) -> _Actors:
    """By modules."""
    grouped = _Actors()
    for name, known in actors.named.items():
        module, _, what = name.partition(":")
        if module and what not in (HELD, KEPT):
            for actor in known:
                grouped.add(module, actor)
    return grouped
