"""Runs the project's code without running it: what can be changed, and what of that outlives the event.

Theory of operation
-------------------

Two phases. In the first, modules, class bodies, `__init__` and `on_start` are followed, and every object made there is
`lasting`. Nothing is held against them: that is how a node is made. In the second, each method that an event or a call
may reach is followed, with everything it calls. There,

    a change of an object that may be lasting          is a note
    a call, an operator, an attribute that is not known  is a note
    a change of what was made for this event           is nothing

What is kept is harmless where the answer to an event is a function of the event alone. That is so if each read of it
sees what the same event has put there before (`events`: set or wiped on every path that leads to the read), or what was
there at set up, since all that an event changes it takes back (`balances`), or looks up a key and gets f(key), computed
from the key and from what never changes (`memos`; and `keys`, for what a cache is asked for is equal to something else,
which nobody may see). Whatever is read in another way, or might be, by whomever, is kept, and its changes are noted.

Methods that Python calls by itself are called with what the operator gives them (`implicit`). A method of a base class
that is not read may call any method of the class that inherits it.

A node without a note keeps nothing that another event could see. What an event makes is out of reach when it is over:
it would have to be put into a lasting object, and that is a change of it.

What a name may stand for is a set (`values.Value`), which only grows: branches are joined, loops followed until nothing
is new, a function that calls itself is given what it gave so far. So every set is too large at worst, and a note too
many is all that follows. What the standard library does stands in `library`, as a list of what is allowed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing import library
from graphbus_core.artifacts.sharing.keys import DICT, KEYWORDS, TUPLE
from graphbus_core.artifacts.sharing.uses import ANY, Trace
from graphbus_core.artifacts.sharing.values import (
    IMMUTABLE,
    NOTHING,
    PLAIN,
    Atom,
    ClassScope,
    Function,
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
    is_lasting,
    is_plain,
    join,
    reach,
    unwrap,
)
from graphbus_core.syntax import walk_body

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.events import EventAttributes, Place
    from graphbus_core.artifacts.sharing.memos import Memos
    from graphbus_core.artifacts.sharing.objects import Objects
    from graphbus_core.artifacts.sharing.statements import Statements

MAX_DEPTH = 60  # calls in calls
MAX_STEPS = 40_000  # statements that are followed for one node
MAX_LOOKS = 1_000_000  # objects that the library is handed, all in all
_NOBODY = ast.Lambda(ast.arguments([], [], None, [], [], None, []), ast.Constant(None))
LoadModule = Callable[[str], "tuple[str, str, ast.Module, bool] | None"]  # name -> name, path, tree, is a package


@dataclass(frozen=True)
class Note:
    """Something that outlives an event, or is not known: what, and where."""

    text: str
    path: str
    line: int
    is_memory: bool = False
    is_change: bool = False

    def __str__(self) -> str:
        return f"{self.text} ({self.path}:{self.line})"


@dataclass(eq=False)
class Activation:
    """A function with these arguments: what it gave so far, and gives out while it runs (`yields`)."""

    function: FunctionValue
    arguments: dict[str, Value]
    scope: Scope
    origin: object = None  # the call that led here first
    given: set[Atom] = field(default_factory=set)
    yields: set[Atom] = field(default_factory=set)
    is_running: bool = False
    is_steady: bool = True
    is_forgetful: bool = False  # another event may come between
    exits: frozenset[Place] | None = None  # what every way out has set
    set_after: frozenset[Place] = frozenset()
    round: int = -1


class Engine:
    """The state that all parts share."""

    def __init__(self, load: LoadModule) -> None:
        from graphbus_core.artifacts.sharing.events import EventAttributes
        from graphbus_core.artifacts.sharing.memos import Memos
        from graphbus_core.artifacts.sharing.objects import Objects
        from graphbus_core.artifacts.sharing.statements import Statements

        self.load = load
        self.modules: dict[str, ModuleScope | None] = {}
        self.statements: Statements = Statements(self)
        self.objects: Objects = Objects(self)
        self.attributes: EventAttributes = EventAttributes(self)
        self.memos: Memos = Memos(self)
        self.handling = False  # the second phase
        self.lasting = True  # of what is made now
        self.is_steady = True  # nothing asked for the time, or the like
        self.notes: dict[Note, None] = {}
        self.open_texts: set[ast.AST] = set()  # f-strings that something else than whole numbers is put into
        self.raising: set[ast.AST] = set()  # parts of an error that is being made: it is not remembered
        self.raised: set[Atom] = set()  # by the project's code: what an `except` may catch
        self.fresh: dict[Site, ast.AST] = {}  # copies, by the expression that makes a new one each time
        self.escaped: dict[FunctionValue, None] = {}  # given to code that is not known, which may call it at any time
        self.changes = 0  # how often a set grew
        self.round = 0
        self.steps = 0
        self.looks = 0
        self.stack: list[Activation] = []
        self._activations: dict[tuple[object, ...], Activation] = {}
        self._scopes: dict[tuple[object, ...], Scope] = {}
        self._generators: dict[Function, bool] = {}
        self._nobody: dict[ModuleScope, Activation] = {}
        self._sites: dict[tuple[object, ...], Site] = {}
        self._ever: dict[tuple[Scope, str], set[Atom]] = {}
        self._callers: dict[Function, set[ast.AST]] = {}
        self.made_in: dict[Site, str] = {}  # the module whose lines made it
        self.callers: dict[tuple[object, object], dict[ast.AST, None]] = {}  # by what `get_place` gives
        self._asked: ast.expr | None = None
        self.dropped: ast.expr | None = None  # what it gives is not looked at
        self._taken_from: ast.expr | None = None
        self.trace = Trace()
        self.is_node_made = False
        self._resumed: set[object] = set()  # generators that run now
        self._repeats = 0  # loops, and calls that are made more than once, around what is followed now

    # Objects

    def make(
        self, node: object, kind: str, items: Value = NOTHING, *, cls: ClassScope | None = None, label: str = ""
    ) -> Site:
        """The object that is made at `node`, by the function that runs now."""
        key = (node, kind, cls, self.lasting, self.get_place())
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = Site(kind, self.lasting, label, cls, is_once=not self._repeats)
            if self.is_node_made:
                self.trace.own.add(site)
            if self.stack:
                self.made_in[site] = self.stack[-1].function.module.name
            self.changes += 1
        elif self._repeats and site.is_once:
            site.is_once = False
            self.changes += 1
        self.put(site, items)
        return site

    def list_made(self) -> Iterable[tuple[tuple[object, ...], Site | Scope]]:
        """All objects and closures that were made, each after what tells it from the others: first, where."""
        keys = {site: key for key, site in self._sites.items()}
        twins = [(keys.get(site, (None,)), twin) for site, twin in self.objects.remembered.items()]
        return [*self._sites.items(), *self._scopes.items(), *twins]

    @staticmethod
    def get_place_of_modules() -> tuple[object, object]:
        """What `get_place` gives while the body of a module runs."""
        return _NOBODY, None

    def make_tuple(self, node: object, items: list[Value]) -> Site:
        """A tuple, of which it is known what stands where."""
        site = self.make(node, "container", join(*items))
        if site.positions is None or len(site.positions) != len(items):
            site.positions = [set() for _ in items]
        for place, value in zip(site.positions, items, strict=True):
            before = len(place)
            place |= value
            self.changes += len(place) != before
        return site

    def view(self, site: Site, value: Value) -> None:
        """From now on a change of `site` is one of these."""
        before = len(site.views)
        site.views |= {a for a in value if not isinstance(a, Immutable)}
        self.changes += len(site.views) != before

    def make_unknown(self, place: object, label: str, of: Value = NOTHING) -> Value:
        """Something that is not read: nothing but handing it on is known to be harmless. `of`: it is had from these."""
        unknown = self.make((place, "unknown"), "object", label=label)
        unknown.lasting = True
        if of:
            self.put(unknown, of, "(of)")
        else:
            self.trace.strange.add(unknown)
        return frozenset((unknown,))

    def get_place(self) -> tuple[object, object]:
        """Where code runs now: the function, and the call that led there. Not its arguments: what a call gives may be
        what it is given next, and there would be no end of places.
        """
        running = self.stack[-1] if self.stack else None
        return (running.function.node, running.origin) if running is not None else (None, None)

    def put(self, site: Site, items: Value, name: str | None = None) -> None:
        """From now on these may stand in an object, or under a name of it."""
        if name is None and site.made_by == DICT and not site.is_mixed and not is_plain(items):
            site.is_mixed = True
            self.changes += 1
        self.put_value(site, items, name)

    def put_value(self, site: Site, items: Value, name: str | None = None) -> None:
        """The same, of the values of a dict, the keys of which are put elsewhere."""
        into = site.items if name is None else site.fields.setdefault(name, set())
        before = len(into)
        into |= items
        self.changes += len(into) != before
        if name is None and not items <= site.loose:
            site.loose |= items
            self.changes += 1
        for viewed in _list_views(site) if name is None else ():
            if isinstance(viewed, Site) and not items <= viewed.items and not self.outlives(viewed):
                self.put(viewed, items)

    def put_at(self, site: Site, key: object, items: Value) -> None:
        """From now on these may stand in a dict under a key, as far as the source says which."""
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            self.put_value(site, items)
            return
        if site.views:
            self.put_value(site, items)
        for into in (site.keyed.setdefault(key.value, set()), site.items):
            before = len(into)
            into |= items
            self.changes += len(into) != before

    def note(
        self,
        text: str,
        node: ast.AST,
        *,
        is_memory: bool = False,
        is_change: bool = False,
        is_always: bool = False,
        of: Iterable[object] | None = None,
        handed: Value | None = None,
    ) -> None:
        """Something speaks against it, in the second phase, or `is_always`; `is_change`: it is known to change
        something. `of`: what it changes, and nothing else, where that is known: objects and slots (`uses.Trace`).
        `handed`: it may change what can be had from these, and nothing else."""
        if self.handling or is_always:
            running = self.stack[-1].function if self.stack else None
            name = self._name_running()
            path = running.module.path if running else ""
            line = getattr(node, "lineno", 0)
            self.notes[Note(f"{name} {text}", path, line, is_memory, is_change)] = None
            where = f"{path}:{line}"
            if handed is not None:
                place = (where, None if of is None else frozenset(of))
                self.trace.handed[place] = join(self.trace.handed.get(place, ()), handed)
                self._follow_handed(handed)
            elif of is None:
                self.trace.unknown[where] = None
            changed = self.trace.list_asked(of or ())
            self.trace.change(changed, where)
            for site in changed:
                self._resume(site, node)

    def _resume(self, site: object, node: ast.AST) -> None:
        """Whoever uses up a generator that was begun at set up runs its lines, now."""
        begun = self.trace.begun.get(site, ()) if self.handling and site not in self._resumed else ()
        self._resumed.add(site)
        for activation in [*begun]:
            function = activation.function
            unbound = FunctionValue(function.node, function.module, function.scope, function.cls)
            with self.repeating(), self.attributes.elsewhere():
                self.call(unbound, [], dict(activation.arguments), NOTHING, node)
        if begun and all(a.function.node.args.vararg is a.function.node.args.kwarg is None for a in begun):
            self.trace.judge_iterator(site, True)  # else it was followed without what the stars gave it
        self._resumed.discard(site)

    def use_unknown(self, text: str, node: ast.AST, handed: Value) -> Value:
        """Something that is not known is done with these, and may give any of them."""
        self.note(text, node, handed=handed)
        return frozenset(a for a in handed if isinstance(a, Site)) if self.handling else NOTHING

    def _name_running(self) -> str:
        for activation in reversed(self.stack):
            if not isinstance(activation.function.node, ast.Lambda):
                return activation.function.node.name
        return "it"

    def change(self, value: Value, node: ast.AST, text: str, put: Value = NOTHING) -> None:
        """What `value` stands for is changed here; `text` is how the source calls it. `put`: that may stand in it now,
        where others find it."""
        changed = [atom for atom in self.list_viewed(value) if is_lasting(atom)]
        for atom in changed:
            if not self.attributes.is_renewed(atom):
                label = atom.label if isinstance(atom, Site) and atom.label else text
                self.note(f"changes {label}", node, is_change=True, of=changed, handed=put)
                return

    def outlives(self, atom: Atom) -> bool:
        """Whether what an event puts in it is there for the next one."""
        return self.handling and is_lasting(atom) and not self.attributes.is_renewed(atom)

    def see(self, value: Iterable[Atom], node: ast.AST | None = None) -> None:
        """Somebody has these in hand, as what `node` stands for."""
        if node is not None and node is self._asked:
            return
        value = [*value]
        self.memos.see(value)
        self.attributes.see(value)
        if self.handling:
            objects = [
                a.receiver if isinstance(a, Method) else a
                for a in value
                if isinstance(a, Site) or (isinstance(a, Method) and not _is_writing_log(a))
            ]
            is_part_taken = node is not None and node is self._taken_from  # it is asked for one name
            self.trace.asked_of.update(
                a.name for a in value if isinstance(a, Outside) and ("." in a.name or not is_part_taken)
            )
            self.trace.classes.update(a for a in value if isinstance(a, ClassScope))
            known = (atom for atom in objects if not self.attributes.is_renewed(atom))
            if not is_part_taken:
                self.trace.seen.update(known)
            else:
                for atom in known:
                    (self.trace.asked if _gives_parts_alone(atom) else self.trace.seen).add(atom)

    def see_whole(self, value: Iterable[Atom]) -> None:
        """Somebody may read any attribute of these."""
        self.attributes.keep_all_in(value)
        for atom in value:
            self.memos.see_all_of(atom)
            cls = atom if isinstance(atom, ClassScope) else atom.cls if isinstance(atom, Site) else None
            owners: list[ClassScope | ModuleScope] = [*cls.lineage()] if cls is not None else []
            if isinstance(atom, ModuleScope):
                owners = [atom]
            for owner in owners:
                self.memos.see_all_of(owner)
                if self.handling:
                    self.trace.slots.update((owner, name) for name in (*owner.names, ANY))

    @contextmanager
    def asking(self, node: ast.expr) -> Iterator[None]:
        """What is read here as `node` is asked for by a lookup, or about to be renewed."""
        before, self._asked = self._asked, node
        try:
            yield
        finally:
            self._asked = before

    @contextmanager
    def taking_out(self, node: ast.expr) -> Iterator[None]:
        """An item or an attribute of what is read here as `node` is taken: that one is in hand, and no other part."""
        before, self._taken_from = self._taken_from, node
        try:
            yield
        finally:
            self._taken_from = before

    @contextmanager
    def repeating(self) -> Iterator[None]:
        """What is followed here may run more than once."""
        self._repeats += 1
        try:
            yield
        finally:
            self._repeats -= 1

    @staticmethod
    def list_viewed(value: Value) -> dict[Atom, None]:
        """These, and whatever a change of them changes."""
        listed: dict[Atom, None] = dict.fromkeys(value)
        waiting = list(value)
        while waiting:
            atom = waiting.pop()
            for viewed in _list_views(atom):
                if viewed not in listed:
                    listed[viewed] = None
                    waiting.append(viewed)
        return listed

    def give_in_set_up(self, to: Atom, value: Value) -> None:
        """An object, or a package of the library, has these from now on, and may change them whenever it is used."""
        if self.handling:
            return  # that it is handed on is noted
        if isinstance(to, Site):
            self.put(to, value, "(given)")
        elif isinstance(to, Outside):
            before = self.trace.given.get(to.name, NOTHING)
            self.trace.given[to.name] = join(before, value)

    def escape(self, value: Value) -> None:
        """Code that is not known has these, and may call them whenever it likes."""
        if self.handling:
            return  # that it is not known is noted
        for atom in reach(value):
            match atom:
                case FunctionValue():
                    self.escaped[atom] = None
                case Wrapped() if isinstance(function := unwrap(atom), FunctionValue):
                    self.escaped[function] = None
                case Site(kind="instance", cls=ClassScope() as cls) if atom.label != "self":
                    for name in {n for ancestor in cls.lineage() for n in ancestor.names}:
                        for method in cls.find(name) or ():
                            if isinstance(method, FunctionValue) and method.cls is not None:
                                bound = FunctionValue(method.node, method.module, method.scope, method.cls, atom)
                                self.escaped[bound] = None

    def _follow_handed(self, handed: Value) -> None:
        """Somebody has these, and may call what can be had from them: their code is followed like that of a handler."""
        try:
            fresh = reach(handed) - self.trace.followed
        except TooLarge:
            return  # whoever lists what is handed says so
        for atom in fresh:
            match atom:
                case FunctionValue():
                    self.trace.followed.add(atom)
                    self._follow_later(atom, atom.bound)
                case Site(kind="instance", cls=ClassScope() as cls) if atom.label != "self":
                    self.trace.followed.add(atom)
                    for method in [
                        m for name in {n for c in cls.lineage() for n in c.names} for m in cls.find(name) or ()
                    ]:
                        how, function = method.how if isinstance(method, Wrapped) else "", unwrap(method)
                        if isinstance(function, FunctionValue):
                            self._follow_later(function, {"static": None, "class": cls}.get(how, atom))

    def _follow_later(self, function: FunctionValue, bound: Atom | None) -> None:
        known = FunctionValue(function.node, function.module, function.scope, function.cls, bound)
        self.changes += known not in self.escaped
        self.escaped[known] = None

    # Modules

    def load_module(self, name: str) -> ModuleScope | None:
        """A module of the project, its body followed; None for any other."""
        if name in self.modules:
            return self.modules[name]
        loaded = self.load(name)
        if loaded is None:
            self.modules[name] = None
            return None
        self.modules[name] = ModuleScope(name, loaded[1], loaded[2], is_package=loaded[3])
        self.follow_module(name)
        return self.modules[name]

    def follow_module(self, name: str) -> None:
        """Follow the body of a module that was loaded."""
        module = self.modules[name]
        assert module is not None
        scope = Scope(module, None, True, module.names)
        with self.set_up(), self.running(module), self.making_node(False):
            self.statements.run_block(module.tree.body, module.names, scope, None)

    @contextmanager
    def making_node(self, is_node_made: bool = True) -> Iterator[None]:
        """What is made here is the node's own, and that of no module."""
        before, self.is_node_made = self.is_node_made, is_node_made
        try:
            yield
        finally:
            self.is_node_made = before

    @contextmanager
    def running(self, module: ModuleScope) -> Iterator[None]:
        """What is called here is called by nobody of the project."""
        nobody = self._nobody.setdefault(
            module, Activation(FunctionValue(_NOBODY, module, None), {}, Scope(module, None, True))
        )
        self.stack.append(nobody)
        try:
            yield
        finally:
            self.stack.pop()

    @contextmanager
    def set_up(self) -> Iterator[None]:
        """What is made here lasts, and nothing is held against it."""
        before = self.handling, self.lasting
        self.handling, self.lasting = False, True
        try:
            yield
        finally:
            self.handling, self.lasting = before

    def spend(self, count: int) -> None:
        """So many objects were looked at. Raises TooLarge where it were too many."""
        self.looks += count
        if self.looks > MAX_LOOKS:
            raise TooLarge

    # Functions

    def call(
        self, function: FunctionValue, arguments: list[Value], named: dict[str, Value], rest: Value, node: ast.AST
    ) -> Value:
        """What a function of the project gives for these; `rest` may be anything of what came with a star."""
        self.steps += 1
        if self.steps > MAX_STEPS or len(self.stack) > MAX_DEPTH:
            raise TooLarge
        bound = [frozenset((function.bound,))] if function.bound is not None else []
        values = self._bind(function, [*bound, *arguments], named, rest, node)
        attributes = self.attributes
        before = attributes.set_now
        if self._is_interrupted(function):
            attributes.begin()
        entry = attributes.set_now
        at = None if self.handling else node  # at set up each call makes objects of its own
        key = (function.node, function.scope, self.lasting, self.handling, at, entry, *values.items())
        activation = self._activations.get(key)
        running = [a for a in self.stack if a.function.node is function.node and a.scope.parent is function.scope]
        if activation is None and len(running) >= 2:
            activation = running[-1]  # it calls itself with ever new arguments: they are joined
            for name, value in values.items():
                self._grow(activation, name, value)
        if activation is None:
            scope_key = (function.node, function.scope, self.lasting, node)
            if scope_key not in self._scopes:
                self._scopes[scope_key] = Scope(function.module, function.scope, self.lasting)
                if self.is_node_made:
                    self.trace.own.add(self._scopes[scope_key])
            scope = self._scopes[scope_key]
            activation = self._activations[key] = Activation(function, values, scope, node)
        self._count_caller(function.node, node)
        self.callers.setdefault((function.node, activation.origin), {})[node] = None
        if not activation.is_running and activation.round != self.round:
            self._run(activation)
        attributes.set_now = before
        if activation.is_forgetful:
            attributes.forget()
        attributes.added = frozenset() if self.is_generator(function.node) else activation.set_after
        self.is_steady = self.is_steady and activation.is_steady
        return self._get_given(activation, function, node)

    def _is_interrupted(self, function: FunctionValue) -> bool:
        """Whether another event may come between two of its lines: it runs whenever its task does, or its reader."""
        is_root = len(self.stack) == 1
        return isinstance(function.node, ast.AsyncFunctionDef) or (is_root and self.is_generator(function.node))

    def _count_caller(self, function: Function, node: ast.AST) -> None:
        if not self.handling:
            callers = self._callers.setdefault(function, set())
            self.changes += node not in callers
            callers.add(node)

    def _grow(self, activation: Activation, name: str, value: Value) -> None:
        before = activation.arguments.get(name, NOTHING)
        if not value <= before:
            activation.arguments[name] = join(before, value)
            self.changes += 1

    def _run(self, activation: Activation) -> None:
        function = activation.function
        activation.is_running = True
        steady_before, self.is_steady = self.is_steady, True
        attributes = self.attributes
        forgets, interrupted = attributes.forgets, attributes.is_interrupted
        attributes.is_interrupted = interrupted or self._is_interrupted(function)
        is_repeated = not self.handling and len(self._callers.get(function.node, ())) > 1
        self._repeats += is_repeated
        self.stack.append(activation)
        activation.exits = None
        try:
            names = dict(activation.arguments)
            for name, value in names.items():
                self.remember(activation.scope, name, value)
            if isinstance(function.node, ast.Lambda):
                self.give(activation, self.statements.read(function.node.body, names, activation.scope))
            else:
                self.statements.run_block(function.node.body, names, activation.scope, activation)
            self.leave(activation)
            activation.set_after = activation.exits or frozenset()
            activation.is_forgetful = activation.is_forgetful or attributes.forgets != forgets
        finally:
            self.stack.pop()
            self._repeats -= is_repeated
            attributes.is_interrupted = interrupted
            activation.is_running = False
            activation.is_steady, self.is_steady = self.is_steady, steady_before
        activation.round = self.round

    def leave(self, activation: Activation) -> None:
        """The function ends here."""
        now = self.attributes.set_now
        activation.exits = now if activation.exits is None else activation.exits & now

    def give(self, activation: Activation, value: Value) -> None:
        """The function gives that back."""
        before = len(activation.given)
        activation.given |= value
        self.changes += len(activation.given) != before

    def _get_given(self, activation: Activation, function: FunctionValue, node: ast.AST) -> Value:
        if activation.yields or self.is_generator(function.node):
            generator = self.make((node, "generator"), "iterator", frozenset(activation.yields))
            self.trace.begun.setdefault(generator, set()).add(activation)
            return frozenset((generator, IMMUTABLE))
        return frozenset(activation.given) or PLAIN

    def is_generator(self, node: Function) -> bool:
        """Whether a call of it runs none of its lines."""
        if node not in self._generators:
            body = [] if isinstance(node, ast.Lambda) else node.body
            self._generators[node] = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in walk_body(body))
        return self._generators[node]

    def get_scope(self, place: tuple[object, ...], module: ModuleScope) -> Scope:
        """Names beside those of a module, one scope for each place."""
        return self._scopes.setdefault(place, Scope(module, None, True))

    def remember(self, scope: Scope, name: str, value: Value) -> None:
        """A closure may see that the name stood for this."""
        before = scope.ever.get(name, NOTHING)
        if not value <= before:
            scope.ever[name] = join(before, value)
            known = self._ever.setdefault((scope, name), set())  # the names of a class are bound anew in each round
            self.changes += not value <= known
            known |= value

    def _bind(
        self, function: FunctionValue, arguments: list[Value], named: dict[str, Value], rest: Value, node: ast.AST
    ) -> dict[str, Value]:
        args = function.node.args
        defaults = self.objects.get_defaults(function)
        positional = [a.arg for a in (*args.posonlyargs, *args.args)]
        values: dict[str, Value] = {}
        for index, name in enumerate(positional):
            if index < len(arguments):  # what came with a star comes after these
                values[name] = arguments[index] or PLAIN
            else:
                values[name] = _choose_argument(name, named, rest, defaults)
        for arg in args.kwonlyargs:
            values[arg.arg] = _choose_argument(arg.arg, named, rest, defaults)
        if args.vararg is not None:
            more = join(*arguments[len(positional) :], rest)
            others = self.make((function.node, "*", node), "container", more)
            others.made_by = TUPLE
            values[args.vararg.arg] = frozenset((others,))
        if args.kwarg is not None:
            more = join(*(v for n, v in named.items() if n not in values), rest)
            others = self.make((function.node, "**", node), "container", more)
            others.made_by = KEYWORDS  # they are no key: `memos` asks whether their order is seen
            values[args.kwarg.arg] = frozenset((others,))
        return values

    def call_any(self, function: Atom, given: Value, node: ast.AST) -> Value:
        """Somebody calls it with any of these, as often as it likes."""
        with self.repeating(), self.attributes.perhaps():
            return self.objects.call_atom(function, [], {}, given, node)


def _choose_argument(name: str, named: dict[str, Value], rest: Value, defaults: dict[str, Value]) -> Value:
    """What a parameter is that no argument is certain to fill: what came with a star may be too short to reach it."""
    if name in named:
        return join(named[name], rest) or PLAIN
    return join(rest, defaults.get(name, NOTHING if rest else PLAIN))


def _list_views(atom: object) -> Value:
    """What a change of it changes too."""
    if not isinstance(atom, Site):
        return NOTHING
    if atom.cls is None or not library.WRAPPING_BASES & {*atom.cls.list_outside()}:
        return frozenset(atom.views)
    return join(atom.views, atom.fields.get("data", ()), atom.cls.find("data") or ())


def outside(name: str) -> Value:
    """What is not of the project, under its dotted name."""
    return frozenset((Outside(name),))


def _is_writing_log(method: Method) -> bool:
    return isinstance(method.receiver, Site) and method.receiver.kind == "log" and method.name in library.LOG_WRITING


def _gives_parts_alone(atom: object) -> bool:
    """Whether who takes a part of it gets what stands there, by code that is followed, and sees nothing else."""
    if not isinstance(atom, Site) or atom.views:
        return False
    if atom.kind == "instance":
        return atom.cls is not None and not atom.cls.list_outside()
    return atom.kind == "container" and atom.cls is None
