"""Follows statements and expressions in their order; what each does to objects is asked of `objects`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing.balances import Balance, find_balance, find_callback
from graphbus_core.artifacts.sharing.events import NONE, meet
from graphbus_core.artifacts.sharing.expressions import find_kind, find_others
from graphbus_core.artifacts.sharing.keys import DICT, LIST, TUPLE, free_of_keys, refuse_kinds
from graphbus_core.artifacts.sharing.library import CONTEXT_VARIABLE, ENUM_BASES, SIMPLE_BASES, is_constant
from graphbus_core.artifacts.sharing.protocols import AUGMENTED, BINARY, TRUTH
from graphbus_core.artifacts.sharing.replacing import Replacing, find_replacing, take_parts
from graphbus_core.artifacts.sharing.standard_objects import is_data
from graphbus_core.artifacts.sharing.values import (
    IMMUTABLE,
    NOTHING,
    PLAIN,
    Atom,
    ClassScope,
    FunctionValue,
    Immutable,
    Outside,
    Scope,
    Site,
    Value,
    Wrapped,
    is_plain,
    join,
    reach,
)
from graphbus_core.syntax import resolve_module, walk_body

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Activation, Engine
    from graphbus_core.artifacts.sharing.events import Place

MAX_LOOPS = 6
Names = dict[str, Value]


class Statements:
    """One block after the other. `names` is what each local name stands for at this point."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._readable: dict[ast.AugAssign, ast.expr] = {}  # one node each, by which objects are known
        self._class_scopes: dict[ClassScope, Scope] = {}  # one each, by which the lambdas in them are known
        self._balances: dict[ast.stmt, Balance | None] = {}
        self._replacings: dict[ast.stmt, Replacing | None] = {}
        self._here: ast.AST = ast.Pass(lineno=0)

    def run_block(
        self,
        body: Sequence[ast.stmt],
        names: Names,
        scope: Scope,
        activation: Activation | None,
    ) -> None:
        """Follow these, and leave in `names` what holds after them."""
        memos = self._engine.memos
        for index, statement in enumerate(body):
            memo = memos.find(body, index, activation)
            if memo is not None and activation is not None:
                result = memos.look_up(memo, names, scope, activation)
                if result is not None:
                    if any(isinstance(part, ast.Return) for part in walk_body(memo.lines[:-1])):
                        self._engine.give(activation, result)
                    self.bind(memo.result, result, names, scope)
                    self.run_block(memo.rest, names, scope, activation)
                    return
            following = memos.find_alias(body, index, activation)
            if following is not None:
                self.run_block(following, names, scope, activation)
                return
            if memos.makes_room(statement, names, scope) or memos.is_unread(statement, names, scope, activation):
                continue
            if self._put_back_later(statement, names, scope, activation):
                continue
            if (replacing := self._find_replacing(body, index, activation)) is not None:
                value = take_parts(self._engine, replacing, self._carry(replacing.made, names, scope))
                self.bind(replacing.name, value, names, scope)
                continue
            balance = self._find_balance(body, index, activation)
            if balance is not None and activation is not None and self._run_balance(balance, names, scope, activation):
                self.run_block(body[index + 2 :], names, scope, activation)
                return
            self._run_statement(statement, names, scope, activation)

    def _put_back_later(self, statement: ast.stmt, names: Names, scope: Scope, activation: Activation | None) -> bool:
        """Whether a context variable is set, and a stack that a `with` closes sets it back."""
        engine, found = self._engine, find_callback(statement)
        if found is None or activation is None or not engine.handling:
            return False
        call, variable, value = found
        function = activation.function
        if engine.is_generator(function.node) and not engine.memos.is_entered(function):
            return False
        owners, given = self._read(variable, names, scope), self._read(value, names, scope)
        (owner,) = owners if len(owners) == 1 else (None,)
        if not isinstance(owner, Site) or owner.made_by != CONTEXT_VARIABLE:
            return False
        return engine.memos.is_closed_in_time(call, function) and engine.attributes.balance(owner, "", given)

    def _find_replacing(self, body: Sequence[ast.stmt], index: int, activation: Activation | None) -> Replacing | None:
        statement = body[index]
        if activation is None or not isinstance(statement, ast.Assign | ast.AnnAssign) or not self._engine.handling:
            return None
        if statement not in self._replacings:
            self._replacings[statement] = find_replacing(body, index, activation.function.node)
        return self._replacings[statement]

    def _find_balance(self, body: Sequence[ast.stmt], index: int, activation: Activation | None) -> Balance | None:
        statement = body[index]
        if activation is None or not isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr):
            return None
        if statement not in self._balances:
            self._balances[statement] = find_balance(body, index, activation.function.node)
        return self._balances[statement]

    def _run_balance(self, balance: Balance, names: Names, scope: Scope, activation: Activation) -> bool:
        """Whether a change is taken back, and everything in between is followed with it."""
        engine, function = self._engine, activation.function
        if not engine.handling:
            return False
        if engine.is_generator(function.node) and not engine.memos.is_entered(function):
            return False
        place, is_whole = balance.place, balance.is_whole
        owners = self._read(place.value if isinstance(place, ast.Attribute) and not is_whole else place, names, scope)
        value = self._read(balance.value, names, scope)
        if len(owners) != 1:
            return False
        (owner,) = owners
        if not isinstance(owner, Site) or (is_whole and owner.made_by not in (LIST, CONTEXT_VARIABLE)):
            return False
        if not engine.attributes.balance(owner, getattr(place, "attr", "") if not is_whole else "", value):
            return False
        if is_whole and owner.kind == "container":
            engine.put(owner, value)
        if balance.token:
            self.bind(balance.token, PLAIN, names, scope)
        self._run_statement(balance.rest, names, scope, activation)
        return True

    def read(self, node: ast.expr, names: Names, scope: Scope) -> Value:
        """What an expression may stand for."""
        return self._read(node, names, scope)

    def _run_statement(self, node: ast.stmt, names: Names, scope: Scope, activation: Activation | None) -> None:
        match node:
            case ast.Expr(value=value):
                self._engine.dropped = value
                self._read(value, names, scope)
            case ast.Assign(targets=targets, value=value):
                given = self._carry(value, names, scope) if _are_names(targets) else self._read(value, names, scope)
                for target in targets:
                    self.assign(target, given, names, scope)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    given = (
                        self._carry(value, names, scope) if _are_names([target]) else self._read(value, names, scope)
                    )
                    self.assign(target, given, names, scope)
            case ast.AugAssign():
                self._run_augmented(node, names, scope)
            case ast.Return(value=value):
                given = self._carry(value, names, scope) if value is not None else PLAIN
                if activation is not None:
                    self._engine.give(activation, given)
                    self._engine.leave(activation)
            case ast.Delete(targets=targets):
                for target in targets:
                    self._delete(target, names, scope)
            case ast.Pass() | ast.Break() | ast.Continue():
                pass
            case ast.Raise() | ast.Assert():
                self._run_check(node, names, scope)
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While() | ast.With() | ast.AsyncWith() | ast.Match():
                self._run_compound(node, names, scope, activation)
            case ast.Try() | ast.TryStar():
                self._run_try(node, names, scope, activation)
            case _:
                self._run_declaration(node, names, scope)

    def _carry(self, node: ast.expr, names: Names, scope: Scope) -> Value:
        """What goes on under a name, or to whoever called: nobody has looked at it yet."""
        with self._engine.asking(node):
            return self._read(node, names, scope)

    def _run_declaration(self, node: ast.stmt, names: Names, scope: Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.bind(node.name, self._define_function(node, names, scope, None), names, scope)
            case ast.ClassDef():
                self.bind(node.name, self._define_class(node, names, scope), names, scope)
            case ast.Import() | ast.ImportFrom():
                self._import(node, names, scope)
            case ast.Global(names=listed):
                scope.global_names.update(listed)
            case ast.Nonlocal(names=listed):
                scope.outer_names.update(listed)
            case _:
                self._engine.note(f"has a statement that is not read, {type(node).__name__}", node)

    def _run_check(self, node: ast.Raise | ast.Assert, names: Names, scope: Scope) -> None:
        if isinstance(node, ast.Raise):
            self._engine.raising |= _list_error_parts(node)
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                read = self._read(part, names, scope)
                self._engine.objects.implicit.test(read, part)
                for atom in read if isinstance(node, ast.Raise) else ():
                    if isinstance(atom, ClassScope):
                        read = join(read, self._engine.objects.call_atom(atom, [], {}, NOTHING, part))
                if isinstance(node, ast.Raise):
                    self._engine.change(
                        frozenset(a for a in read if isinstance(a, Site)), part, ast.unparse(part)
                    )  # its traceback grows
                    self._engine.changes += not read <= self._engine.raised
                    self._engine.raised |= read

    def _run_compound(self, node: ast.stmt, names: Names, scope: Scope, activation: Activation | None) -> None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._engine.objects.implicit.test(self._read(test, names, scope), test, TRUTH)
                known = [find_others(self._engine, test, names, scope, is_true=is_true) for is_true in (True, False)]
                self._run_branches([body, orelse], names, scope, activation, known=known)
            case (
                ast.For(target=target, iter=source, body=body, orelse=orelse)
                | ast.AsyncFor(target=target, iter=source, body=body, orelse=orelse)
            ):
                elements = self._engine.objects.iterate(self._read(source, names, scope), source)
                self._run_loop([*body, *orelse], names, scope, activation, target, elements)
            case ast.While(test=test, body=body, orelse=orelse):
                self._engine.objects.implicit.test(self._read(test, names, scope), test, TRUTH)
                self._run_loop([ast.Expr(test), *body, *orelse], names, scope, activation)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                exits = []
                for item in items:
                    manager = self._read(item.context_expr, names, scope)
                    implicit = self._engine.objects.implicit
                    is_sync = isinstance(node, ast.With)
                    entered = implicit.enter_own(manager, item.context_expr) if is_sync else None
                    if entered is not None:
                        exits.append((manager, item.context_expr))
                    else:
                        entered = implicit.enter(manager, item.context_expr)
                    if item.optional_vars is not None:
                        self.assign(item.optional_vars, entered, names, scope)
                with self._engine.attributes.perhaps():  # an error may leave it, and be swallowed
                    self.run_block(body, names, scope, activation)
                for manager, expression in reversed(exits):
                    self._engine.objects.implicit.leave_own(manager, expression)
            case ast.Match(subject=subject, cases=cases):
                value = self._read(subject, names, scope)
                branches = []
                for case in cases:
                    self._bind_pattern(case.pattern, value, names, scope)
                    branches.append([*([ast.Expr(case.guard)] if case.guard else []), *case.body])
                self._run_branches([*branches, []], names, scope, activation)

    def _run_try(self, node: ast.Try | ast.TryStar, names: Names, scope: Scope, activation: Activation | None) -> None:
        before = dict(names)
        attributes = self._engine.attributes
        set_before, forgets = attributes.set_now, attributes.forgets
        self._follow_try(node, before, names, scope, activation)
        if node.finalbody:  # it runs however the rest ends
            set_after, forgets_after = attributes.set_now, attributes.forgets
            attributes.set_now = set_before if forgets_after == forgets else NONE
            self.run_block(node.finalbody, names, scope, activation)
            deletes = any(isinstance(part, ast.Delete | ast.Call) for part in walk_body(node.finalbody))
            if attributes.forgets == forgets_after and not deletes:
                attributes.set_now |= set_after

    def _follow_try(
        self, node: ast.Try | ast.TryStar, before: Names, names: Names, scope: Scope, activation: Activation | None
    ) -> None:
        from graphbus_core.artifacts.sharing.expressions import read_callee

        set_before, forgets = self._engine.attributes.set_now, self._engine.attributes.forgets
        self.run_block(node.body, names, scope, activation)
        set_after = self._engine.attributes.set_now
        self._join_jumps(names, before, scope)
        for handler in node.handlers:
            if handler.type is not None:
                self._engine.objects.implicit.check_hook(
                    read_callee(self._engine, handler.type, names, scope), handler.type
                )
            if handler.name:
                raised = frozenset(self._engine.raised)
                if not self._engine.objects.caches:  # an error is not remembered: what it holds is of this event
                    raised = frozenset(free_of_keys(self._engine, atom) for atom in raised)
                error = self._engine.make(handler, "data", reach(raised) | PLAIN)
                self.bind(handler.name, join(frozenset((error,)), raised), names, scope)
        attributes = self._engine.attributes
        set_in_between = set_before if attributes.forgets == forgets else NONE
        starts = [set_after, *(set_in_between for _ in node.handlers)]
        self._run_branches([node.orelse, *(h.body for h in node.handlers)], names, scope, activation, starts)

    @staticmethod
    def _join_jumps(names: Names, before: Names, scope: Scope) -> None:
        """Where code may be left at any point, a name stands for all that it was bound to there."""
        for name, value in list(names.items()):
            if before.get(name) != value:
                names[name] = join(value, before.get(name, NOTHING), scope.ever.get(name, NOTHING))
        merge_names(names, [before])

    def _run_branches(
        self,
        bodies: Sequence[Sequence[ast.stmt]],
        names: Names,
        scope: Scope,
        activation: Activation | None,
        starts: Sequence[frozenset[Place]] | None = None,
        known: Sequence[Names] | None = None,
    ) -> None:
        """One of these; `starts`: what each finds set, where that is not the same; `known`: what names are there."""
        ends, set_after = [], []
        attributes = self._engine.attributes
        set_before = attributes.set_now
        for index, body in enumerate(bodies):
            branch = {**names, **known[index]} if known is not None else dict(names)
            attributes.set_now = set_before if starts is None else starts[index]
            self.run_block(body, branch, scope, activation)
            ends.append(branch)
            set_after.append((attributes.set_now, _leaves(body)))
        # What leaves the function does not come to what follows.
        attributes.set_now = meet([s for s, leaves in set_after if not leaves] or [s for s, _ in set_after])
        names.clear()
        merge_names(names, ends)

    def _run_loop(
        self,
        body: Sequence[ast.stmt],
        names: Names,
        scope: Scope,
        activation: Activation | None,
        target: ast.expr | None = None,
        elements: Value = NOTHING,
    ) -> None:
        with self._engine.repeating(), self._engine.attributes.perhaps():
            self._follow_loop(body, names, scope, activation, target, elements)

    def _follow_loop(
        self,
        body: Sequence[ast.stmt],
        names: Names,
        scope: Scope,
        activation: Activation | None,
        target: ast.expr | None,
        elements: Value,
    ) -> None:
        attributes = self._engine.attributes
        jumps = any(isinstance(part, ast.Break | ast.Continue) for part in walk_body(body))
        set_before = attributes.set_now
        for _ in range(MAX_LOOPS):
            attributes.set_now = set_before = set_before & attributes.set_now
            before = dict(names)
            if target is not None:
                self.assign(target, elements, names, scope)
            self.run_block(body, names, scope, activation)
            if jumps:
                self._join_jumps(names, before, scope)
            merge_names(names, [before])
            if names == before and set_before <= attributes.set_now:
                return
        # Names that still change are given all that they ever stood for.
        for name in names:
            names[name] = join(names[name], scope.ever.get(name, NOTHING))

    def _bind_pattern(self, pattern: ast.pattern, value: Value, names: Names, scope: Scope) -> None:
        """A pattern asks what it is held against, and all in it: its class, its length, its attributes, equality."""
        parts = reach(value)
        implicit = self._engine.objects.implicit
        implicit.test(parts, pattern)
        if any(isinstance(node, ast.MatchMapping) for node in ast.walk(pattern)):
            implicit.test(parts, pattern, ("get", "keys"))
        implicit.use_attributes(parts, pattern)
        for node in ast.walk(pattern):
            if isinstance(node, ast.MatchSingleton) and node.value is not None:
                refuse_kinds(self._engine, value, ast.Constant(node.value, lineno=node.lineno))
            elif isinstance(node, ast.MatchValue):
                implicit.operate([self._read(node.value, names, scope)], node)
            elif isinstance(node, ast.MatchClass):
                refuse_kinds(self._engine, value, node.cls)
                implicit.check_hook(self._read(node.cls, names, scope), node)
            name = getattr(node, "name", None) or getattr(node, "rest", None)
            if isinstance(node, ast.MatchAs | ast.MatchStar | ast.MatchMapping) and name:
                self.bind(name, parts, names, scope)

    # Names

    def bind(self, name: str, value: Value, names: Names, scope: Scope) -> None:
        """The name stands for that from here on."""
        module = scope.module
        if name in scope.global_names and scope.ever is not module.names:
            text = f"changes {name} of its module"
            self._engine.note(text, self._here, is_change=True, of=[(module, name)], handed=value)
            module.names[name] = join(module.names.get(name, NOTHING), value)
        elif name in scope.outer_names:
            outer = self._find_outer(name, scope)
            if outer is not None:
                if outer.lasting:
                    text = f"changes {name} of the function around it"
                    self._engine.note(text, self._here, is_change=True, of=[(outer, name)], handed=value)
                self._engine.remember(outer, name, value)
        else:
            names[name] = value
            self._label(name, value, scope)
            if scope.ever is not names:
                self._engine.remember(scope, name, value)

    def _label(self, name: str, value: Value, scope: Scope) -> None:
        if scope.ever is scope.module.names:
            for atom in value:
                if isinstance(atom, Site) and not atom.label:
                    atom.label = f"{name} of its module"

    @staticmethod
    def _find_outer(name: str, scope: Scope) -> Scope | None:
        outer = scope.parent
        while outer is not None and name not in outer.ever:
            outer = outer.parent
        return outer

    def assign(self, target: ast.expr, value: Value, names: Names, scope: Scope) -> None:
        """Put a value where `target` says."""
        self._here = target
        match target:
            case ast.Name(id=name):
                self.bind(name, value, names, scope)
            case ast.Starred(value=inner):
                rest = self._engine.make(target, "container", join(value, self._engine.objects.get_elements(value)))
                self.assign(inner, frozenset((rest,)), names, scope)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                elements = self._engine.objects.iterate(value, target)
                places = _read_places(value, parts)
                for index, part in enumerate(parts):
                    self.assign(part, elements if places is None else places[index], names, scope)
            case ast.Attribute(value=owner, attr=name):
                self._engine.objects.set_attribute(self._read(owner, names, scope), name, value, target)
            case ast.Subscript(value=owner, slice=index):
                keys = self._read(index, names, scope)
                self._set_item(target, owner, index, keys, value, names, scope)

    def _set_item(
        self,
        target: ast.Subscript,
        owner: ast.expr,
        index: ast.expr,
        keys: Value,
        value: Value,
        names: Names,
        scope: Scope,
    ) -> None:
        attributes = self._engine.attributes
        if isinstance(index, ast.Slice) and index.lower is index.upper is index.step is None:
            with self._engine.asking(owner):
                owners = self._read(owner, names, scope)
            if attributes.renew(owners, "[:]", [], target):
                for site in owners:
                    self._engine.put(site, self._engine.objects.get_elements(value))  # type: ignore[arg-type]
                return
            self._engine.see(owners)
        self._engine.objects.set_item(self._read(owner, names, scope), keys, value, target)

    def _delete(self, target: ast.expr, names: Names, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                if name in scope.global_names or name in scope.outer_names:
                    self._here = target
                    self.bind(name, PLAIN, names, scope)
                elif scope.ever is not names:
                    names.pop(name, None)
            case ast.Attribute(value=owner):
                self._engine.objects.set_attribute(self._read(owner, names, scope), target.attr, NOTHING, target)
            case ast.Subscript(value=owner, slice=index):
                keys = self._read(index, names, scope)
                self._set_item(target, owner, index, keys, NOTHING, names, scope)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._delete(part, names, scope)

    def _run_augmented(self, node: ast.AugAssign, names: Names, scope: Scope) -> None:
        """`x += y` changes x where that can be changed, and binds it anew."""
        readable = self._readable.setdefault(node, ast.copy_location(_to_load(node.target), node.target))
        current, more = self._read(readable, names, scope), self._read(node.value, names, scope)
        objects = self._engine.objects
        changeable = frozenset(a for a in current if isinstance(a, Site) and _is_changed_in_place(a, node.op))
        tuples = frozenset(a for a in changeable if isinstance(a, Site) and a.lasting and _is_sure_tuple(a))
        changeable -= tuples  # no operator changes one, and what it gives is bound anew
        for atom in current:
            if isinstance(atom, Wrapped):
                self._engine.note(f"changes {ast.unparse(node.target)}, which is not read", node, is_change=True)
            if isinstance(atom, Outside) and (is_data(atom.name) or not is_constant(atom.name)):
                text = f"changes {atom.name.removeprefix('graphbus.')}"
                self._engine.note(text, node, is_change=True, handed=frozenset((atom,)))
        self._engine.change(changeable, node, ast.unparse(node.target), more)
        if is_plain(current) and IMMUTABLE in current and any(map(_is_added_to_its_like, more)):
            self._engine.note(f"changes {ast.unparse(node.target)}, which is not read", node, is_change=True)
        added = join(objects.get_elements(more), more)
        for atom in changeable:
            self._engine.put(atom, added)
        if tuples:
            both = self._engine.make((node, "tuple"), "container", join(objects.get_elements(tuples), added))
            both.made_by = TUPLE
            current = join(current - tuples, frozenset((both,)))
        kind = type(node.op)
        result = join(current, objects.operate([current], node, AUGMENTED[kind], more))
        result = join(result, objects.operate([more], node, BINARY[kind], current))
        self.assign(node.target, find_kind(node.op, current, more) or result, names, scope)

    # Definitions

    def _define_function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, names: Names, scope: Scope, cls: ClassScope | None
    ) -> Value:
        value = self._make_function(node, names, scope, cls)
        for decorator in reversed(node.decorator_list):
            value = self._engine.objects.decorate(self._read(decorator, names, scope), value, decorator)
        return value

    def _make_function(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        names: Names,
        scope: Scope,
        cls: ClassScope | None,
    ) -> Value:
        outer = None if scope.ever is scope.module.names else scope
        self._read_annotations(node.args, names, scope)
        function = FunctionValue(node, scope.module, outer, cls)
        args = node.args
        positional = [*args.posonlyargs, *args.args]
        pairs = list(zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True))
        pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None]
        defaults = {a.arg: self._read(d, names, scope) for a, d in pairs}
        for name, value in defaults.items():
            for atom in value:
                if isinstance(atom, Site) and not atom.label:
                    atom.label = f"the default of {name}"
        self._engine.objects.set_defaults(function, defaults)
        return frozenset((function,))

    def _read_annotations(self, args: ast.arguments, names: Names, scope: Scope) -> None:
        """A call in an annotation is made when the function is."""
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            self._read_annotation(arg.annotation, names, scope)

    def _read_annotation(self, node: ast.expr | None, names: Names, scope: Scope) -> None:
        if node is not None and any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(node)):
            self._read(node, names, scope)

    def _define_class(self, node: ast.ClassDef, names: Names, scope: Scope) -> Value:
        cls = self._engine.objects.make_class(node, scope.module)
        cls.bases.clear()
        cls.outside.clear()
        for base in node.bases:
            for atom in self._read(base, names, scope):
                self._engine.objects.add_base(cls, atom)
        for keyword in node.keywords:
            value = self._read(keyword.value, names, scope)
            if keyword.arg == "metaclass" and value != frozenset((Outside("abc.ABCMeta"),)):
                cls.outside.append(f"the metaclass {ast.unparse(keyword.value)}")
        body_names = dict(names) if scope.ever is not scope.module.names else {}
        around = scope if scope.ever is not scope.module.names else None
        body_scope = self._class_scopes.setdefault(cls, Scope(scope.module, around, cls.lasting))
        body_scope.ever = body_names
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = {**body_names}
                cls.names[statement.name] = self._define_method(statement, inner, scope, cls)
                body_names[statement.name] = cls.names[statement.name]
            else:
                before = dict(body_names)
                if isinstance(statement, ast.AnnAssign):
                    self._read_annotation(statement.annotation, body_names, body_scope)
                self._run_statement(statement, body_names, body_scope, None)
                for name, value in body_names.items():
                    if before.get(name) != value or name in cls.names:
                        cls.names[name] = value
                        self._label_attribute(cls, name, value)
        self._engine.objects.name_descriptors(cls, node)
        decorators = [self._read(d, names, scope) for d in node.decorator_list]
        made_by = [self._read(d.func if isinstance(d, ast.Call) else d, names, scope) for d in node.decorator_list]
        cls.is_record = self._engine.objects.is_record(cls, made_by)
        decorated: Value = frozenset((cls,))
        for decorator, read in zip(reversed(node.decorator_list), reversed(decorators), strict=True):
            decorated = self._engine.objects.decorate(read, decorated, decorator)
        return decorated

    def _define_method(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, names: Names, scope: Scope, cls: ClassScope
    ) -> Value:
        """Defaults and decorators see the names of the class; the body does not."""
        value = self._make_function_in_class(node, names, scope, cls)
        seen = {**cls.names, **names}
        for decorator in reversed(node.decorator_list):
            value = self._engine.objects.decorate(self._read(decorator, seen, scope), value, decorator)
        return value

    def _make_function_in_class(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, names: Names, scope: Scope, cls: ClassScope
    ) -> Value:
        return self._make_function(node, {**cls.names, **names}, scope, cls)

    @staticmethod
    def _label_attribute(cls: ClassScope, name: str, value: Value) -> None:
        for atom in value:
            if isinstance(atom, Site) and not atom.label:
                atom.label = f"{cls.node.name}.{name}"

    def _import(self, node: ast.Import | ast.ImportFrom, names: Names, scope: Scope) -> None:
        objects = self._engine.objects
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name if alias.asname else alias.name.partition(".")[0]
                self._engine.load_module(alias.name)
                self.bind(alias.asname or head, objects.get_module(head), names, scope)
            return
        base = resolve_module(node.level, node.module or "", scope.module.package)
        for alias in node.names:
            if alias.name == "*":
                module = self._engine.load_module(base)
                names.update(module.names if module is not None else {})
                continue
            self.bind(alias.asname or alias.name, objects.get_member(base, alias.name), names, scope)
            if (module := self._engine.modules.get(base)) is not None:
                self._engine.memos.see_slot(module, alias.name)

    # Expressions

    def _read(self, node: ast.expr, names: Names, scope: Scope) -> Value:
        from graphbus_core.artifacts.sharing.expressions import read_expression

        return read_expression(self._engine, node, names, scope)

    def define_lambda(self, node: ast.Lambda, names: Names, scope: Scope) -> Value:
        """A function without a name."""
        return self._make_function(node, names, scope, None)


def merge_names(names: Names, others: Sequence[Names]) -> None:
    """`names` as they are after any of these."""
    for other in others:
        for name, value in other.items():
            names[name] = join(names.get(name, NOTHING), value)


def _are_names(targets: Sequence[ast.expr]) -> bool:
    return all(isinstance(target, ast.Name) for target in targets)


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether every way through these lines leaves the function, or raises."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=first, orelse=second):
            return _leaves(first) and _leaves(second)
    return False


def _is_changed_in_place(site: Site, op: ast.operator) -> bool:
    """Whether `x += y` changes x, or binds it to something new: an object without `__iadd__` is not changed."""
    cls = site.cls
    if cls is None or site.kind != "instance":
        return True
    bases = {*cls.list_outside()}
    is_plain = bases <= SIMPLE_BASES | ENUM_BASES and not any(map(cls.find, ("__getattr__", "__getattribute__")))
    return not is_plain or cls.find(AUGMENTED[type(op)][-1]) is not None


def _is_sure_tuple(site: Site) -> bool:
    return site.kind == "container" and (site.positions is not None or site.made_by == TUPLE)


def _is_added_to_its_like(atom: Atom) -> bool:
    """Whether only what can be changed takes this by `+=` or `|=`: a list, a dict."""
    return isinstance(atom, Site) and atom.made_by in (DICT, LIST)


def _list_error_parts(node: ast.Raise) -> set[ast.AST]:
    """The error that is made here, and what it is given as it is, or in a text."""
    if not isinstance(node.exc, ast.Call):
        return set()
    parts: set[ast.AST] = {node.exc}
    waiting: list[ast.AST] = list(node.exc.args)
    while waiting:
        part = waiting.pop()
        if not isinstance(part, ast.Call | ast.Await | ast.Yield | ast.BoolOp | ast.IfExp | ast.Compare):
            parts.add(part)
            waiting += ast.iter_child_nodes(part)
    return parts


def _read_places(value: Value, parts: list[ast.expr]) -> list[Value] | None:
    """What each name is given, where it is known which tuples these are; others would fail to be taken apart."""
    tuples = [a for a in value if isinstance(a, Site)]
    if not tuples or any(isinstance(part, ast.Starred) for part in parts):
        return None
    if not all(isinstance(a, Immutable) or (isinstance(a, Site) and a.positions is not None) for a in value):
        return None
    given = [
        join(*(a.positions[i] for a in tuples if a.positions and len(a.positions) == len(parts)))
        for i in range(len(parts))
    ]
    return [join(v, PLAIN) if len(tuples) < len(value) else v or PLAIN for v in given]


def _to_load(target: ast.expr) -> ast.expr:
    match target:
        case ast.Name(id=name):
            return ast.Name(name, ast.Load())
        case ast.Attribute(value=value, attr=attr):
            return ast.Attribute(value, attr, ast.Load())
        case ast.Subscript(value=value, slice=index):
            return ast.Subscript(value, index, ast.Load())
    return target
