"""What is kept, and harms nobody: a memo, each entry of which is a function of its key.

Theory of operation
-------------------

The answer to an event is a function of the event alone if every read of something kept either gives what the same event
has put there (`events`), or looks up a key and gives f(key), for an f that asks for nothing but the key and what never
changes. `memo_forms` finds the second by its shape. Here it is *shown*, or else not believed:

    the key      what the lines that compute an entry ask for are parts of the key, and what belongs to the holder's
                 owner: names of the module for a holder of the module, of the object for one that the object made in
                 its `__init__`, of the closure for one that the closure made. Anything else could differ next time
    the lines    are followed as the body of a cached function: they change nothing that lasts, do not depend on time or
                 chance, publish, call and write nothing, and what comes out of them is changed by nobody (`keys` says
                 what it takes that 1, 1.0 and True are one key)
    the holder   is one empty dict, made at set up, filled by these very lines and by no others, and read by nobody
                 else: how full it is, what is in it, what order it has, tells of other events
    both ways    a hit and a miss go on with the same lines, and nothing that the miss alone does is seen later

A holder that is seen anywhere else (`see`) is *open*, and a change of it counts as any other. So nothing is believed of
an object that can be had by another name: whoever uses that name opens it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing.keys import DICT
from graphbus_core.artifacts.sharing.library import LOCKS
from graphbus_core.artifacts.sharing.memo_forms import (
    Memo,
    find_memo,
    list_arguments,
    list_locals,
    list_room_making,
)
from graphbus_core.artifacts.sharing.module_uses import (
    BEGINNING,
    ModuleUses,
    find_base,
    get_name,
    list_counts,
    read_write,
)
from graphbus_core.artifacts.sharing.protocols import KEYING, READING
from graphbus_core.artifacts.sharing.values import (
    NOTHING,
    WHOLE,
    Atom,
    ClassScope,
    FunctionValue,
    Immutable,
    ModuleScope,
    Scope,
    Site,
    Value,
    is_lasting,
    join,
    reach,
)

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Activation, Engine

Names = dict[str, Value]
_HOLDING = frozenset(("weakref.WeakValueDictionary",))  # objects of the library that are dicts of a kind
_Place = tuple[object, str]  # a slot: whose, and its name


class Memos:
    """Which lookups are harmless, and which holders are open."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.filled: dict[Site | _Place, object] = {}  # by which lines
        self._open: set[Site | _Place] = set()
        self._found: dict[ast.stmt, Memo | None] = {}
        self._modules: dict[ModuleScope, ModuleUses] = {}
        self.own_fields: set[tuple[Site, str, Atom]] = set()  # what each record makes for itself
        self.depth = 0  # of entries that are being computed

    # What the engine asks

    def find(self, body: Sequence[ast.stmt], index: int, activation: Activation | None) -> Memo | None:
        """The lookup that begins here."""
        statement = body[index]
        if activation is None or not isinstance(statement, BEGINNING):
            return None
        if statement not in self._found:
            self._found[statement] = find_memo(body, index, activation.function.node)
        return self._found[statement]

    def is_unread(
        self,
        statement: ast.stmt,
        names: Names,
        scope: Scope,
        activation: Activation | None,
        *,
        is_aside: bool = False,
    ) -> bool:
        """Whether it changes what nobody ever reads, and what it asks for was followed; `is_aside`: it stands beside a
        lookup."""
        counts = list_counts(statement)[0] if activation is not None and self._engine.handling else []
        if counts and isinstance(statement, ast.If):
            return all(self.is_unread(count, names, scope, activation, is_aside=is_aside) for count in counts)
        statement = counts[0] if counts else statement
        write = read_write(statement) if activation is not None and self._engine.handling else None
        if write is None or activation is None:
            return False
        place, values = write
        name = get_name(place)
        if name.startswith("__") or not isinstance(place, ast.Attribute | ast.Name):
            return False
        is_inner = self._is_of_closure(place, scope) or (is_aside and self._is_inner(place, names, scope))
        if not name.startswith("_") and not is_inner:
            return False  # anybody may read it
        modules = [m for m in self._engine.modules.values() if m is not None]
        uses = [self._read_uses(m) for m in {*modules, activation.function.module}]
        is_counted = any(name in use.counted for use in uses)
        if not all(use.is_unread(name, is_counted=is_counted) for use in uses):
            return False
        if is_counted and any(name in use.cleared for use in uses) and any(use.needs_keys(name) for use in uses):
            return False  # whether it can be counted on depends on whether it was cleared
        if is_counted and any(name in use.put_into for use in uses):
            return False  # whether it can be counted on depends on what was put there
        if any(name in use.added_to for use in uses) and not all(use.holds_numbers(name) for use in uses):
            return False
        if not self._claim_unread(statement, place, names, scope):
            return False
        for value in values:
            read = self._engine.statements.read(value, names, scope)
            if not all(map(_is_inert, reach(read))):
                return False
            if isinstance(statement, ast.Expr):  # `extend` asks what it is given for all that is in it
                self._engine.objects.operate([read], value, (*READING, "keys"))
                self._engine.objects.iterate(read, value)
            self._engine.objects.operate([read], value, KEYING)
        return True

    @staticmethod
    def _is_of_closure(place: ast.expr, scope: Scope) -> bool:
        """Whether it is a name of a function around: nobody but the functions in there can read it."""
        outer = scope.parent
        if not isinstance(place, ast.Name) or place.id in scope.global_names:
            return False
        while outer is not None and place.id not in outer.ever:
            outer = outer.parent
        return outer is not None and place.id not in outer.global_names | outer.outer_names

    def _is_inner(self, place: ast.Attribute | ast.Name, names: Names, scope: Scope) -> bool:
        """Whether it is an attribute of an object of the project other than a node."""
        if not isinstance(place, ast.Attribute):
            return False
        owners = self._engine.statements.read(place.value, names, scope)
        node = self._engine.attributes.node
        return all(isinstance(a, Site) and a.kind == "instance" and a is not node for a in owners)

    def _claim_unread(self, statement: ast.stmt, place: ast.Attribute | ast.Name, names: Names, scope: Scope) -> bool:
        places: list[Site | _Place]
        if isinstance(statement, ast.Expr) or isinstance(getattr(statement, "target", None), ast.Subscript):
            value = self._read_holder(place, names, scope)
            sites = [a for a in value if isinstance(a, Site) and a.kind == "container" and not a.views]
            if not sites or len(sites) < len(value):
                return False
            places = [*sites]
        elif isinstance(place, ast.Name) and place.id in scope.outer_names:
            outer = scope.parent
            while outer is not None and place.id not in outer.ever:
                outer = outer.parent
            if outer is None or not isinstance(statement, ast.AugAssign) or outer.ever[place.id] != frozenset((WHOLE,)):
                return False
            places = [(outer, place.id)]
        elif isinstance(place, ast.Name):
            if place.id not in scope.global_names:
                return False
            if isinstance(statement, ast.AugAssign) and scope.module.names.get(place.id) != frozenset((WHOLE,)):
                return False
            places = [(scope.module, place.id)]
        else:
            owners = self._engine.statements.read(place.value, names, scope)
            sites = [a for a in owners if isinstance(a, Site) and a.kind == "instance" and a.lasting]
            if not sites or len(sites) < len(owners):
                return False
            if any(self._engine.attributes.is_set_by_hand(site.cls, place.attr) for site in sites):
                return False
            set_up = [join(s.fields.get(place.attr, ()), (s.cls and s.cls.find(place.attr)) or ()) for s in sites]
            if isinstance(statement, ast.AugAssign) and any(value != frozenset((WHOLE,)) for value in set_up):
                return False
            places = [(site, place.attr) for site in sites]
        for claimed in places:
            self._engine.changes += claimed not in self.filled
            if self.filled.setdefault(claimed, "nobody reads it") != "nobody reads it":
                self._open_up(claimed)
        return not any(claimed in self._open for claimed in places)

    def find_alias(self, body: Sequence[ast.stmt], index: int, activation: Activation | None) -> list[ast.stmt] | None:
        """What follows, where a name is but another one for a holder that is looked up there."""
        if activation is None or not isinstance(body[index], ast.Assign) or not self._engine.handling:
            return None
        uses = self._read_uses(activation.function.module)
        return uses.find_alias(body, index, activation.function.node)

    def look_up(self, memo: Memo, names: Names, scope: Scope, activation: Activation) -> Value | None:
        """What a harmless lookup gives, found or not; None where it is not shown to be harmless."""
        engine = self._engine
        if not engine.handling:
            return None
        claim = self._find_slot(memo, names, scope) if memo.is_slot else self._find_holder(memo, names, scope)
        if claim is None or not self._is_closed(memo, activation.function):
            return None
        if not self._are_harmless(memo, names, scope, activation):
            return None
        if memo.named and not self._is_blind_to_order(memo, names, scope):
            return None
        bound = self._bind_owner(memo, activation.function, names)
        functions = [_find_function(names.get(name, NOTHING)) for name in memo.given]
        if bound is False or None in functions:
            return None
        place, kept = claim
        around = activation.function
        by = (around.module.name, around.cls and around.cls.node.name, bound, memo.dump, *functions, memo.taking)
        engine.changes += place not in self.filled
        if self.filled.setdefault(place, by) != by:
            self._open_up(place)
        if place in self._open:
            return None
        return join(self._compute(memo, bound, names, scope, activation, place), kept)

    def see(self, value: Iterable[Atom]) -> None:
        """Somebody has these in hand."""
        if self.filled and self._engine.handling:
            for atom in value:
                if isinstance(atom, Site) and atom in self.filled:
                    self._open_up(atom)

    def see_slot(self, owner: object, name: str) -> None:
        """Somebody reads an attribute, or a name of a module."""
        if self._engine.handling and not isinstance(owner, Site):  # that is in hand
            self._engine.trace.slots.add((owner, name))
        if self.filled and self._engine.handling and (owner, name) in self.filled:
            self._open_up((owner, name))

    def list_fills(self) -> list[tuple[Site | _Place, object]]:
        """What is filled and harmless, and by which lines."""
        return [(place, by) for place, by in self.filled.items() if place not in self._open]

    def see_all_of(self, owner: object) -> None:
        """Somebody may read any attribute of it."""
        for place in list(self.filled):
            if isinstance(place, tuple) and place[0] is owner:
                self._open_up(place)

    def makes_room(self, statement: ast.stmt, names: Names, scope: Scope) -> bool:
        """Whether it empties a memo, and does nothing else: what is missing is computed again."""
        holder = list_room_making(statement)
        if holder is None or not self._engine.handling or not self.filled:
            return False
        value = self._read_holder(holder, names, scope)
        sites = [a for a in value if isinstance(a, Site) and a in self.filled and a not in self._open]
        return bool(sites) and len(sites) == len(value) and not any(a.is_filled for a in sites)

    def is_entered(self, function: FunctionValue) -> bool:
        """Whether a context manager is used in `with` alone, which runs it to its end."""
        if isinstance(function.node, ast.Lambda):
            return False
        decorators = [ast.unparse(d) for d in function.node.decorator_list]
        modules = [m for m in self._engine.modules.values() if m is not None]
        is_method = function.cls is not None and not self._read_uses(function.module).list_around(function.node)
        return decorators in (["contextmanager"], ["contextlib.contextmanager"]) and all(
            self._read_uses(m).is_entered(function.node.name, is_method=is_method) for m in {*modules, function.module}
        )

    def has_methods_alone(self, cls: ClassScope) -> bool:
        """Whether nothing but methods stands in a class and its bases, and none is set as an attribute of an object."""
        lines = [line for ancestor in cls.lineage() for line in ancestor.node.body]
        methods = [line.name for line in lines if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef)]
        others = [line for line in lines if isinstance(line, ast.Assign | ast.AnnAssign)]
        return not others and not any(use.is_set(name) for use in self._list_uses(cls.module) for name in methods)

    def is_closed_in_time(self, call: ast.Call, function: FunctionValue) -> bool:
        """Whether a `with` closes the stack that this call puts something on."""
        return self._read_uses(function.module).is_closed_in_time(call)

    def check_entered(self, name: str, node: ast.AST) -> None:
        """What the whole process sees is set by a `with` alone, which sets it back, and not across a `yield`."""
        function = self._engine.stack[-1].function
        is_open = self._engine.is_generator(function.node) and not self.is_entered(function)
        if is_open or not isinstance(node, ast.Call) or not self._read_uses(function.module).runs_to_its_end(node):
            self._engine.note(f"uses {name} otherwise than in a `with`", node, is_change=True)

    # The holder

    def _find_holder(self, memo: Memo, names: Names, scope: Scope) -> tuple[Site, Value] | None:
        value = self._read_holder(memo.holder, names, scope)
        sites = [a for a in value if not isinstance(a, Immutable)]
        if len(sites) != 1:
            return None
        (site,) = sites
        if not isinstance(site, Site) or not site.lasting or site.is_default or site.views:
            return None
        if site.kind != "container" and site.made_by not in _HOLDING:
            return None
        if isinstance(memo.holder, ast.Subscript) and site.made_by != DICT:
            return None
        if memo.makes_room and site.is_filled:
            return None  # what was put in at the beginning may be gone
        return site, frozenset(site.items) if site.kind == "container" else NOTHING

    def _find_slot(self, memo: Memo, names: Names, scope: Scope) -> tuple[_Place, Value] | None:
        match memo.holder:
            case ast.Name(id=name) if name in scope.global_names:
                return (scope.module, name), scope.module.names.get(name, NOTHING)
            case ast.Attribute(value=owner, attr=name):
                owners = self._engine.statements.read(owner, names, scope)
            case _:
                return None
        if len(owners) != 1:
            return None
        (site,) = owners
        match site:
            case Site(kind="instance", lasting=True, cls=ClassScope() as cls):
                if self._engine.attributes.is_set_by_hand(cls, name):
                    return None
                return (site, name), join(site.fields.get(name, ()), cls.find(name) or ())
            case ModuleScope():
                return (site, name), site.names.get(name, NOTHING)
            case ClassScope(lasting=True) if len(site.lineage()) == 1 and not self._is_inherited(site):
                return (site, name), site.find(name) or NOTHING
        return None

    def _is_inherited(self, cls: ClassScope) -> bool:
        """Whether a class of the project may have it as a base."""
        modules = [m for m in self._engine.modules.values() if m is not None]
        return any(self._read_uses(m).is_base(cls.node.name) for m in {*modules, cls.module})

    def _open_up(self, place: Site | _Place) -> None:
        self._engine.changes += place not in self._open
        self._open.add(place)

    def _read_holder(self, holder: ast.expr, names: Names, scope: Scope) -> Value:
        with self._engine.asking(holder):
            return self._engine.statements.read(holder, names, scope)

    # What the lines ask for

    def _is_closed(self, memo: Memo, function: FunctionValue) -> bool:
        """Whether the holder's name stands nowhere but in lookups, and where it is set up."""
        name = get_name(memo.holder)
        modules = [m for m in self._engine.modules.values() if m is not None]
        uses = [self._read_uses(m) for m in {*modules, function.module}]
        if not name or not all(use.is_closed(name, memo.is_slot) for use in uses):
            return False
        if isinstance(memo.holder, ast.Attribute) and all(use.is_made_by_each(name) for use in uses if use.has(name)):
            return True  # what has this name in another object is another one
        return len(set[str]().union(*(use.lines.get(name, ()) for use in uses))) == 1

    def _list_uses(self, module: ModuleScope) -> list[ModuleUses]:
        modules = [m for m in self._engine.modules.values() if m is not None]
        return [self._read_uses(m) for m in {*modules, module}]

    def _read_uses(self, module: ModuleScope) -> ModuleUses:
        if module not in self._modules:
            self._modules[module] = ModuleUses(module, self._found)
        return self._modules[module]

    def _bind_owner(self, memo: Memo, function: FunctionValue, names: Names) -> object:
        """What the lines ask for beside the key: `self`, where it made the holder; None if nothing; False if it may be
        anything."""
        uses = self._read_uses(function.module)
        own = list_locals(function.node)
        locals_read = memo.free & own - {*memo.given}
        outer = uses.list_around(function.node)
        if not isinstance(memo.holder, ast.Attribute):
            is_shown = not locals_read and uses.is_closure_of(memo.free, find_base(memo.holder), outer)
            return None if is_shown else False
        first = next(iter(list_arguments(function.node)), "")
        if memo.free & set().union(*map(list_locals, outer)) - own:
            return False
        if not locals_read:
            return None
        if locals_read != {first} or function.cls is None or not isinstance(memo.holder.value, ast.Name):
            return False
        value = names.get(first, NOTHING)
        if memo.holder.value.id != first or len(value) != 1:
            return False
        (owner,) = value
        if isinstance(owner, ClassScope):  # a pool of its objects, which no other class shares
            return owner if uses.is_alone(owner, memo.holder.attr) else False
        if not isinstance(owner, Site) or not owner.lasting or owner.kind != "instance" or owner.is_copy:
            return False
        name = memo.holder.attr
        is_field = any(s.is_field(name) for s in self._list_uses(function.module))
        if is_field and any((owner, name, a) not in self.own_fields for a in owner.fields.get(name, ())):
            return False  # who made the object gave it
        return owner if memo.is_slot or uses.is_made_by_each(name) else False

    def _are_harmless(self, memo: Memo, names: Names, scope: Scope, activation: Activation) -> bool:
        """Whether what is done around it is what it looks like."""
        for lock in memo.locks:
            value = self._engine.statements.read(lock, names, scope)
            if not value or not all(isinstance(a, Site) and a.lasting and a.made_by in LOCKS for a in value):
                return False
        around = [
            activation.function.node,
            *self._read_uses(activation.function.module).list_around(activation.function.node),
        ]
        if memo.plain & {*activation.function.module.names, *(n for f in around for n in list_locals(f))}:
            return False
        if not all(self._is_fixed(size, activation.function) for size in memo.sizes):
            return False
        whole = [self._engine.statements.read(ast.Name(name, ast.Load()), names, scope) for name in memo.whole]
        if any(value != frozenset((WHOLE,)) for value in whole):
            return False
        return all(self.is_unread(aside, names, scope, activation, is_aside=True) for aside in memo.asides)

    def _is_fixed(self, size: ast.expr, function: FunctionValue) -> bool:
        """Whether no event changes it: a constant, a name of the module or of the closure, an attribute that is set in
        `__init__`."""
        if isinstance(size, ast.Constant):
            return True
        uses = self._list_uses(function.module)
        own = list_locals(function.node)
        match size:
            case ast.Name(id=name) if name not in own:
                return not any(use.is_rebound(name) for use in uses)
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                first = next(iter(list_arguments(function.node)), "")
                return (owner == first or owner not in own) and not any(use.is_reset(name) for use in uses)
        return False

    def _is_blind_to_order(self, memo: Memo, names: Names, scope: Scope) -> bool:
        """Whether `**kwargs` goes to functions that bind each of them to a parameter."""
        calls = [
            part
            for line in memo.lines
            for part in ast.walk(line)
            if isinstance(part, ast.Call) and any(k.arg is None for k in part.keywords)
        ]
        callees = [atom for call in calls for atom in self._engine.statements.read(call.func, names, scope)]
        return all(isinstance(a, FunctionValue) and a.node.args.kwarg is None for a in callees)

    def _compute(
        self, memo: Memo, bound: object, names: Names, scope: Scope, activation: Activation, place: object
    ) -> Value:
        engine = self._engine
        around = activation.function
        assert memo.function is not None
        arguments = [names[name] for name in memo.given]
        arguments += [engine.statements.read(part, names, scope) for part in memo.key.values()]
        outer = around.scope if around.scope is not None and around.scope.lasting else None
        function = FunctionValue(memo.function, around.module, outer, around.cls, bound)
        self.depth += 1
        try:
            return engine.objects.call_cached(function, arguments, {}, NOTHING, memo.lines[0], place)
        finally:
            self.depth -= 1


def _is_inert(atom: Atom) -> bool:
    """Whether nothing runs when it is compared with what is there, or nobody holds it any more: a generator that was
    begun has an end to run, and who knows what a method of its own does."""
    if not isinstance(atom, Site):
        return not isinstance(atom, FunctionValue) or is_lasting(atom)
    if atom.kind == "instance" and atom.cls is not None and any(map(atom.cls.find, ("__eq__", "__hash__", "__del__"))):
        return False
    return atom.lasting or atom.kind not in ("iterator", "object", "partial")


def _find_function(value: Value) -> FunctionValue | None:
    """The one function that it stands for, where that depends on nothing of the event."""
    if len(value) != 1:
        return None
    (atom,) = value
    if not isinstance(atom, FunctionValue) or (atom.scope is not None and not atom.scope.lasting):
        return None
    if atom.bound is not None and not (isinstance(atom.bound, Site) and atom.bound.lasting and atom.bound.is_once):
        return None
    return atom


__all__ = ["Memos"]
