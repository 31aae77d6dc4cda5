"""What a node reads of lasting objects while it handles events, and what it may change of them (`peers.Uses`).

An object is named by the place that makes it, so that it has one name in the analysis of every node. Two objects of one
place are taken for one: a node too many runs alone, and none too few. Four things need an argument:

    which call          What a function makes has the calls of that function in its name, since each call makes another.
                        A node that follows fewer calls names fewer of them, but always the one that made the object it
                        has. Where one call may get what another made, because a decorator or a cache is between, the
                        name has no calls. Where several lines may be the first to make what is then kept, as with
                        `setdefault`, the names may differ: but what keeps it has one name, and counts as changed too.
    what holds it       What is changed has the names of all that holds it: another node may find it there. Of a table
                        that one module writes out, only what stands *within* it is changed: who takes another part of
                        it by a key has read the same lines, and reads what it took. Who has the whole table in hand,
                        or anything that was put together by calls or by several modules, reads all within it.
    which class         An attribute is asked of the classes up to the first that binds it in any case. Another node
                        that sets it above changes nothing for who finds it here; one that sets it here is found here.
    what is not known   A use of an object that is not known may change what can be had from that object and from what
                        it is given; code that is had there is followed. A function of the standard library may change
                        what it is given and what its package keeps, unless its source names one of the doors by which
                        Python gives what nobody handed on (`doors`). What a package was given at set up, it may change
                        whenever it is used. All else that is not known may change everything that the node may load:
                        code that is not followed to its end, libraries that are not read, what somebody provides.

What is put where others find it, they may change. What the library keeps by itself (a decimal context, the environment)
is its package's: a change of it is one of `package:*`. Whoever may load the package reads that, if anything of the
library that the node uses may ask that package (`library_reach`). Logging is read by who uses more of it than to write
lines, for these go out, and nothing comes back.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from graphbus_core.artifacts.peers import ALL_IT_LOADS, EVERYTHING, HELD, KEPT, LOGGING, Uses
from graphbus_core.artifacts.sharing.doors import STREAMS, is_closed, list_keepers, runs_no_code
from graphbus_core.artifacts.sharing.library import BUILTIN_TYPES, ENUM_BASES, sees_logging
from graphbus_core.artifacts.sharing.standard_objects import is_fixed_type
from graphbus_core.artifacts.sharing.values import (
    MAX_REACH,
    Atom,
    ClassScope,
    FunctionValue,
    Immutable,
    Method,
    ModuleScope,
    Outside,
    Scope,
    Site,
    TooLarge,
    Value,
    Wrapped,
    join,
    list_parts,
    reach,
)
from graphbus_core.syntax import list_nodes

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Activation, Engine

WITHIN = "/"  # after the name of an object: something that stands in it
ANY = "(any)"  # an attribute whose name is computed
_NOT_ASKING = frozenset(("builtins", "graphbus", "graphbus_core"))
_OTHER_NODES = frozenset(("graphbus.call", "graphbus.acall", "graphbus.nodes", "graphbus.anodes"))


class Trace:
    """What is used in the second phase, as `Engine` comes by it."""

    def __init__(self) -> None:
        self.seen: set[object] = set()  # objects
        self.asked: set[Site] = set()  # objects of which parts were taken, and which were not in hand as a whole
        self.slots: set[tuple[object, str]] = set()  # names of modules, classes and functions that are read
        self.asked_of: set[str] = set()  # what is used of the library, by its dotted names
        self.used: set[str] = set()  # the same, and what was called at set up, of which an event may have what it gave
        self.classes: set[ClassScope] = set()  # in hand, or made
        self.changed: dict[object, str] = {}  # objects and slots, and where
        self.unknown: dict[str, None] = {}  # where something is done that is not known
        # Where something that is not known is done with these alone; or they are put into something, and into what.
        self.handed: dict[tuple[str, frozenset[object] | None], Value] = {}
        self.followed: set[object] = set()  # code that was handed on, and objects whose methods are
        self.strange: set[Site] = set()  # what may be any object there is
        self.given: dict[str, Value] = {}  # what functions of the library were given at set up, and may hold
        self.kept: dict[Site, str] = {}  # what the library keeps by itself, and which function gave it
        self.begun: dict[object, set[Activation]] = {}  # generators: their functions, and what these were given
        self.plain_iterators: set[object] = set()  # to ask these for the next one runs no code that is not followed
        self.lazy_iterators: set[object] = set()  # others
        self.sources: dict[object, set[object]] = {}  # by iterators: what these ask when they are asked
        self.wrapped: set[object] = set()  # functions, what one call of which gave another one may get
        self.own: set[object] = set()  # objects that were made with the node
        self.shown: dict[object, list[Site]] = {}  # by what shows at any time what stands in them

    def judge_iterator(self, iterator: object, is_plain: bool) -> None:
        """Whether it asks only what runs no code; what was lazy once stays so."""
        (self.plain_iterators if is_plain else self.lazy_iterators).add(iterator)

    def derive_iterator(self, iterator: object, given: Value, *, is_held_alone: bool = False) -> None:
        """The library made it of these. Who asks it asks the iterators and files among them, too: it is judged by what
        else it was made of, and they by themselves. `is_held_alone`: it asks nothing of what stands in them."""
        parts = reach(given)
        sources = {part for part in parts if part is not iterator and _is_asked(part)}
        self.sources.setdefault(iterator, set()).update(sources)
        self.judge_iterator(iterator, is_held_alone or all(a in sources or runs_no_code(a) for a in parts))

    def list_asked(self, changed: Iterable[object]) -> list[object]:
        """These, and what they ask for the next one."""
        return [*dict.fromkeys((*changed, *_follow(changed, self.sources)))]

    def is_lazy(self, iterator: object) -> bool:
        """Whether to ask it for the next one may run code of the project that is not followed."""
        return iterator in self.lazy_iterators or iterator not in self.plain_iterators

    def forget_unknown(self) -> None:
        """A round knew too little."""
        self.unknown.clear()
        self.handed.clear()

    def use_library(self, name: str, is_seen: bool) -> None:
        """A name of it is asked, called or imported; `is_seen`: by an event, or it may see what that gives."""
        if is_seen:
            self.used.add(name)

    def wrap(self, functions: Iterable[object]) -> None:
        """Something remembers what these give."""
        self.wrapped.update(f.node for f in functions if isinstance(f, FunctionValue))

    def change(self, changed: Iterable[object], where: str) -> None:
        """These are changed there."""
        for used in changed:
            self.changed.setdefault(used, where)


def list_uses(engine: Engine, where: str, is_followed: bool) -> Uses:
    """All that was used. `where` the node stands; `is_followed`: to the end."""
    return _Listing(engine, where).list(is_followed)


class _Listing:
    """Puts names to what was used."""

    def __init__(self, engine: Engine, where: str) -> None:
        self._engine, self._where, self._trace, self._namer = engine, where, engine.trace, _Namer(engine)
        self._node = engine.attributes.node
        self._holders: dict[object, list[object]] = {}
        contents: dict[object, list[object]] = {}
        for holder, part in _list_held(engine):
            if self._namer.is_told_apart(holder, part):
                self._holders.setdefault(part, []).append(holder)
            contents.setdefault(holder, []).append(part)
        public = _follow([holder for holder in contents if not self._is_own(holder)], contents)
        self._handed = {used for used in public if self._is_own(used)}

    def list(self, is_followed: bool) -> Uses:
        """All of it."""
        trace, fills = self._trace, self._engine.memos.list_fills()
        changes: dict[str, str] = {}
        changed, anywhere = self._list_changed()
        for used, where in changed.items():
            if not self._is_private(used):
                changes |= dict.fromkeys(self._name_changed(used), where)
        changes |= dict.fromkeys(self._name_all(self._engine.attributes.list_set()), self._where)
        # What a node puts of its own where others find it, they may change, and it may change for them.
        changes |= dict.fromkeys(self._name_all(self._list_holders(self._handed)), self._where)
        if anywhere or not is_followed:
            changes[ALL_IT_LOADS] = next(iter(anywhere), self._where)
        wholes, objects = self._list_seen({place for place, _ in fills})
        reads = self._name_all([*objects, *(slot for slot in trace.slots if not _is_any_of_class(slot))])
        reads |= {self._namer.name_any(cls) for cls, name in trace.slots if isinstance(cls, ClassScope) and name == ANY}
        reads |= {name + WITHIN for name in self._name_all(wholes) if name != ALL_IT_LOADS}
        reads |= {f"{name.partition(':')[0]}:{HELD}" for name in self._name_all(self._list_holders(objects))}
        if any(map(sees_logging, (*trace.asked_of, *self._list_kinds(objects)))):
            reads.add(LOGGING)
        reads |= {f"{name}:{KEPT}" for name in self._list_library(objects)}
        hands = self._name_all(self._list_holders(self._handed & {self._node, *objects}))
        filled = {
            name: (self._namer.describe(how, self._where), self._where)
            for place, how in fills
            if not self._is_private(place)
            for name in self._namer.name(place)
        }
        loads = [name for name, module in self._engine.modules.items() if module is not None]
        return Uses(frozenset(reads), changes, filled, dict.fromkeys(hands, self._where), loads, self._name_given())

    def _name_changed(self, used: object) -> Iterator[str]:
        """Its names, and those of all that holds it; where one of these leads to it by lines of one module alone, those
        of what stands within that: whoever takes another part of it has read these lines, and that it is another."""
        yield from (names := self._namer.name(used))
        if isinstance(used, tuple) and isinstance(used[0], ClassScope):
            yield self._namer.name_any(used[0])
        used = used[0] if isinstance(used, tuple) and isinstance(used[0], Site) else used  # of an attribute, its object
        module = names[0].partition(":")[0] if len(names) == 1 and "@" not in names[0] else ""
        beside: set[object] = {used}
        waiting: list[object] = [used] if module and isinstance(used, Site) else []
        while waiting:
            fresh = {holder for holder in self._holders.get(waiting.pop(), ()) if self._is_made_in(holder, module)}
            waiting += fresh - beside
            beside |= fresh
        for holder in self._list_holders([used]):
            yield from (name + WITHIN if holder in beside else name for name in self._namer.name(holder))

    def _is_made_in(self, holder: object, module: str) -> bool:
        """Whether it is an object that lines of this module alone made, and once."""
        names = self._namer.name(holder) if isinstance(holder, Site) else []
        return len(names) == 1 and "@" not in names[0] and names[0].partition(":")[0] == module

    def _name_given(self) -> dict[str, str]:
        """What the library holds of all this, and which package."""
        return {
            name: list_keepers(giver)[-1]
            for giver, given in self._trace.given.items()
            for name in self._name_all(part for part in reach(given) if isinstance(part, Site) and part.lasting)
        }

    def _list_library(self, objects: Iterable[Site]) -> Iterator[str]:
        """What is used of the library, by dotted names: what an event calls, what gave what it has in hand, and the
        bases of classes. What gave a number at set up is not known of the number: all that was called there counts."""
        trace = self._trace
        classes = {
            *trace.classes,
            *(used.cls for used in trace.seen | trace.asked if isinstance(used, Site) and used.cls),
        }
        used = {*trace.asked_of, *trace.used, *(base for cls in classes for base in cls.list_outside())}
        makers = {maker for used in objects for maker in (trace.kept.get(used, ""), used.made_by.partition(",")[0])}
        yield "builtins"
        for name in used | {maker for maker in makers if "." in maker}:
            if name == "builtins.open":
                yield "os"  # where the name of a file begins
            elif name in _OTHER_NODES or name.partition(".")[0] not in _NOT_ASKING:
                yield name  # what other nodes give may be of any package

    def _list_kinds(self, objects: Iterable[Site]) -> Iterator[str]:
        """What of the library these are of."""
        for used in objects:
            yield from (f"{name}()" for name in (self._trace.kept.get(used, ""), used.made_by))
            yield from used.cls.list_outside() if used.cls is not None else ()

    def _list_changed(self) -> tuple[dict[object, str], dict[str, None]]:
        """What is changed, and where; and where anything may be."""
        trace = self._trace
        changed, anywhere = dict(trace.changed), dict(trace.unknown)
        sets_classes = any(isinstance(used, tuple) and isinstance(used[0], ClassScope) for used in changed)
        for (where, into), handed in trace.handed.items():
            # Nobody but this node finds what it puts into something of its own: it sets nothing of its class. The
            # members of an enumeration have one name, whichever of them it changes.
            is_private = not sets_classes and into is not None and all(map(self._is_private, into))
            if is_private:
                handed = frozenset(a for a in handed if not _is_member(a))
            try:
                reached = _reach_handed(handed, with_classes=not is_private)
            except TooLarge:
                anywhere[where] = None
                continue
            for used in reached:
                lasts = isinstance(used, tuple) or (isinstance(used, Site) and used.lasting)
                if lasts or (isinstance(used, Outside) and _leads_on(used) and not used.name.startswith("builtins.")):
                    changed.setdefault(used, where)
                if used not in trace.followed and _leads_on(used, to_all=True):
                    anywhere[where] = None
        for used, where in [*changed.items()]:
            thing = used[0] if isinstance(used, tuple) else used
            if isinstance(thing, Site):
                if thing in trace.strange or self._runs_code(thing):
                    anywhere[where] = None
                if (giver := trace.kept.get(thing)) is not None:
                    changed |= {part: where for part in self._list_given(giver, [thing]) if part not in changed}
        return changed, anywhere

    def _list_given(self, giver: str, given: Iterable[Atom]) -> Iterator[object]:
        """The package, and all that these hold: what a function gave may change what that was given."""
        yield Outside(giver)
        yield from (part for part in reach(given) if isinstance(part, Site) and part.lasting)

    def _runs_code(self, site: Site) -> bool:
        """Whether a use that is known of it runs code of the project: where that was made, it was not run."""
        is_lazy = site.kind == "iterator" and self._trace.is_lazy(site)
        return is_lazy or not all(isinstance(a, Outside) for a in site.fields.get("factory", ()))

    def _is_own(self, used: object) -> bool:
        """Whether it was made with the node."""
        used = used[0] if isinstance(used, tuple) else used
        return used is self._node or used in self._trace.own

    def _is_private(self, used: object) -> bool:
        """Whether it is the node's own, and nobody else can find it."""
        used = used[0] if isinstance(used, tuple) else used
        return self._is_own(used) and used not in self._handed

    def _name_all(self, listed: Iterable[object]) -> set[str]:
        return {name for used in listed if not self._is_private(used) for name in self._namer.name(used)}

    def _list_holders(self, held: Iterable[object]) -> set[object]:
        """What any of these stands in after set up, however deep: objects, names of modules, classes, closures."""
        listed = set(held)
        return {used for used in _follow(listed, self._holders) - listed if not self._is_own(used)}

    def _list_seen(self, filled: set[object]) -> tuple[set[Site], set[Site]]:
        """The objects that were in hand, and all that stands in them: not what is looked up there alone. Also: these
        and those of which parts were taken."""
        trace = self._trace
        closed = {self._node, *(filled - trace.seen - trace.asked)}
        reached: set[object] = set()
        waiting = list(trace.seen - closed)
        waiting += [shown for used in trace.asked for shown in trace.shown.get(used, ())]
        while waiting:
            used = waiting.pop()
            if used not in reached and used not in closed:
                reached.add(used)
                waiting += self._trace.shown.get(used, ())
                waiting += [part for parts in list_parts(used, of_functions=True) for part in parts]
        wholes, objects = (
            {used for used in listed if isinstance(used, Site) and used.lasting and not self._is_private(used)}
            for listed in (reached, reached | (trace.asked - closed))
        )
        return wholes, objects


def _reach_handed(handed: Value, *, with_classes: bool) -> set[object]:
    """What can be had from these: what stands in them, and in their classes."""
    reached: set[object] = set(handed)
    waiting = list(handed)
    while waiting:
        if len(reached) > MAX_REACH:
            raise TooLarge
        atom = waiting.pop()
        parts = list_parts(atom, of_functions=True)
        cls = atom if isinstance(atom, ClassScope) else atom.cls if isinstance(atom, Site) else None
        lineage = cls.lineage() if cls is not None else []
        names = {name for kind in lineage for name in kind.names}
        for kind in lineage:
            reached |= {(kind, name) for name in names if with_classes}  # one of a base may be set of the class
            parts += [[a for a in value if not isinstance(a, FunctionValue | Wrapped)] for value in kind.names.values()]
        fresh = join(*parts) - reached
        reached |= fresh
        waiting += fresh
    return reached


def _is_asked(part: object) -> bool:
    """Whether something that is made of it asks it for the next one, by code that is followed or of the library: an
    iterator, or an object of a module of the library that comes by nothing but what it was given (`doors`)."""
    if not isinstance(part, Site):
        return False
    return part.kind == "iterator" or (part.kind == "object" and bool(part.made_by) and is_closed(part.made_by))


def _is_any_of_class(slot: tuple[object, str]) -> bool:
    return isinstance(slot[0], ClassScope) and slot[1] == ANY


def _is_member(atom: object) -> bool:
    return isinstance(atom, Site) and atom.cls is not None and not ENUM_BASES.isdisjoint(atom.cls.list_outside())


def _leads_on(atom: object, *, to_all: bool = False) -> bool:
    """Whether more can be had from it than stands in it: it is code, or its module. `to_all` there is, in the end."""
    if isinstance(atom, Outside):
        if atom.name in STREAMS:
            return False
        head, _, name = atom.name.partition(".")
        is_changeable = (head != "builtins" or name not in BUILTIN_TYPES) and not is_fixed_type(atom.name)
        return is_changeable and not (to_all and is_closed(atom.name))
    cls = atom if isinstance(atom, ClassScope) else atom.cls if isinstance(atom, Site) else None
    if cls is not None:
        return any(isinstance(a, FunctionValue | Wrapped) for c in cls.lineage() for v in c.names.values() for a in v)
    return not isinstance(atom, Immutable | Site | Method | tuple)


def _follow(begun: Iterable[object], links: Mapping[object, Collection[object]]) -> set[object]:
    """These, and all that is linked to them."""
    reached = set(begun)
    waiting = list(reached)
    while waiting:
        fresh = set(links.get(waiting.pop(), ())) - reached
        reached |= fresh
        waiting += fresh
    return reached


def _list_held(engine: Engine) -> Iterator[tuple[object, object]]:
    """What stands in what after set up."""
    scopes: list[ModuleScope | ClassScope] = [module for module in engine.modules.values() if module is not None]
    for _, thing in engine.list_made():
        if isinstance(thing, Site) and thing.lasting:
            yield from ((thing, part) for parts in list_parts(thing, of_functions=False) for part in _unwrap(parts))
        elif isinstance(thing, Scope) and thing.lasting:
            yield from (((thing, name), part) for name, value in thing.ever.items() for part in _unwrap(value))
    for scope in scopes:  # grows
        for name, value in scope.names.items():
            scopes += [part for part in value if isinstance(part, ClassScope) and part not in scopes]
            yield from (((scope, name), part) for part in _unwrap(value))


def _unwrap(parts: Iterable[object]) -> Iterator[Site]:
    """What a method is bound to stands where the method stands."""
    for part in parts:
        bound = part.receiver if isinstance(part, Method) else getattr(part, "bound", None)
        if isinstance(reached := part if bound is None else bound, Site):
            yield reached


class _Namer:
    """Names of what lasts: `module:line:column` of an object, `module:name`, `module:line.name` of a class."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._trace = engine, engine.trace
        self._keys: dict[object, tuple[object, ...]] = {thing: key for key, thing in engine.list_made()}
        self._originals = {twin: site for site, twin in engine.objects.remembered.items()}
        self._parts = [
            (module.name, _list_nodes(module.tree)) for module in engine.modules.values() if module is not None
        ]

    def _find_module(self, node: ast.AST) -> str:
        return next((name for name, parts in self._parts if node in parts), "")

    def is_told_apart(self, holder: object, part: object) -> bool:
        """Whether a node may find it there and not know which one it is: not by a name of the module that makes it in
        its own lines, which whoever knows that name has read, too."""
        key = self._keys.get(part, ())
        is_of_module = isinstance(part, Site) and key[-1:] == (self._engine.get_place_of_modules(),)
        if not is_of_module or part in self._engine.trace.own or not isinstance(holder, tuple):
            return True
        module = holder[0] if isinstance(holder[0], ModuleScope) else getattr(holder[0], "module", None)
        return module is None or module.name != self._find_place(key[0]).partition(":")[0]

    def name(self, used: object) -> list[str]:
        """Its names: all of what is loaded, where it is not known which one it is."""
        match used:
            case (ModuleScope(name=module), str(name)):
                return [f"{module}:{EVERYTHING if name == ANY else name}"]
            case (ClassScope(node=kind, module=ModuleScope(name=module)), str(name)):
                return [f"{module}:{EVERYTHING}" if name == ANY else f"{module}:{kind.lineno}.{name}"]
            case (FunctionValue(node=function, module=ModuleScope(name=module)), str(name)):
                return [f"{module}:{EVERYTHING}" if name == ANY else f"{module}:{function.lineno}.{name}"]
            case (Wrapped(function=function), str(name)):
                return self.name((function, name))
            case (Scope(module=ModuleScope(name=module)) as scope, str(name)):
                return self._add_callers(f"{module}:{name}()", self._list_callers_of_scope(scope))
            case (Site(), str()):
                return self.name(used[0])
            case Outside(name=name) | (Outside(name=name), str()):
                return [f"{keeper}:{EVERYTHING}" for keeper in list_keepers(name)]
            case Site():
                return self._name_site(used) or [ALL_IT_LOADS]
        return []

    @staticmethod
    def name_any(cls: ClassScope) -> str:
        """What is read of it by a name that is computed, and changed wherever any attribute of it is set."""
        return f"{cls.module.name}:{cls.node.lineno}.{ANY}"

    def _name_site(self, site: Site) -> list[str]:
        key = self._keys.get(site, (None,))
        place = self._find_place(key[0]) or self._find_copied_place(site, key[0])
        return self._add_callers(place, self._list_callers(key)) if place else []

    def _find_copied_place(self, site: Site, made_at: object) -> str:
        """Where the lines stand that were copied, for the analysis to follow them apart; they keep their places."""
        node = made_at[0] if isinstance(made_at, tuple) else made_at
        module = self._engine.made_in.get(self._originals.get(site, site), "")
        return f"{module}:{node.lineno}:{node.col_offset}" if module and isinstance(node, ast.expr | ast.stmt) else ""

    def _add_callers(self, place: str, callers: Iterable[ast.AST]) -> list[str]:
        return sorted({f"{place}@{self._find_place(caller)}" for caller in callers}) or [place]

    def _list_callers(self, key: tuple[object, ...]) -> Iterable[ast.AST]:
        """The calls in which it was made, where each of these makes a new one."""
        node = key[0][0] if isinstance(key[0], tuple) else key[0]
        function, origin = key[-1] if isinstance(key[-1], tuple) else (None, None)
        is_made_there = (
            isinstance(node, ast.expr)
            and not isinstance(node, ast.Lambda)
            and isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
            and self._find_module(node) == self._find_module(function) != ""
            and function.lineno < node.lineno <= (function.end_lineno or 0)
        )
        if not is_made_there or function.decorator_list or function in self._trace.wrapped:
            return ()
        return self._engine.callers.get((function, origin), ())

    def _list_callers_of_scope(self, scope: Scope) -> Iterable[ast.AST]:
        match self._keys.get(scope):
            case (ast.FunctionDef(decorator_list=[]) as function, _, _, origin) if function not in self._trace.wrapped:
                return self._engine.callers.get((function, origin), ())
        return ()

    def _find_place(self, made_at: object) -> str:
        match made_at:
            case tuple():
                return next((place for part in made_at if (place := self._find_place(part))), "")
            case ClassScope(node=kind, module=module):
                return f"{module.name}:{kind.lineno}:{kind.col_offset}"
            case Site():
                return self._find_place(self._keys.get(made_at, (None,))[0])
            case FunctionValue(node=node) | (ast.AST() as node) if module_name := self._find_module(node):
                return f"{module_name}:{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}"
        return ""

    def describe(self, how: object, reader: str) -> str:
        """How a memo is filled; what has no name makes it one of this node's own."""
        match how:
            case None | str():
                return how or ""
            case tuple():
                return " ".join(self.describe(part, reader) for part in how)
            case FunctionValue():
                parts = (self._find_place(how), how.bound, how.scope if how.scope and how.scope.parent else None)
                return self.describe(parts, reader)
            case Site():
                return " ".join(self._name_site(how)) or f"of {reader}"
            case Scope():
                callers = self._list_callers_of_scope(how)
                place = self._find_place(self._keys.get(how, (None,))[0])
                return " ".join(self._add_callers(place, callers)) if place else f"of {reader}"
            case ClassScope():
                return self._find_place(how)
        return f"of {reader}"


@lru_cache(maxsize=64)
def _list_nodes(tree: ast.Module) -> frozenset[ast.AST]:
    """All parts of a module: one that many nodes load is listed once."""
    return frozenset(list_nodes(tree.body))
