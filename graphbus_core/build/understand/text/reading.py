"""One file -> `Facts`: its functions read statement by statement, in the order they run. Nothing is imported or run.

A function is read once, branch by branch; a loop's body twice. So the cost grows with the text and never with the
number of ways through it, and the same text always gives the same facts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import replace

from graphbus_core import syntax
from graphbus_core.build.understand.text.expressions import Env, Expressions, item, joined, tells
from graphbus_core.build.understand.text.noted import Noted
from graphbus_core.build.understand.text.values import (
    Computed,
    Element,
    Entered,
    Facts,
    Function,
    Global,
    Hinted,
    Listing,
    Param,
    Parameter,
    Record,
    Touched,
    Unknown,
    Value,
    Values,
    united,
)
from graphbus_core.build.understand.text.written import (
    OVER,
    FunctionNode,
    class_head,
    dropped,
    functions,
    imported,
    live,
    matched,
    parameters,
    signature,
    suppresses,
    swallows,
    text_of,
)

TWICE = 2  # a loop's body is read so often where loops are not nested deeper than MAX_LOOPS
MAX_LOOPS = 3


class Reading:
    """Reads one file. `inside` is the function being read; `nodes`, where given, keeps every expression's values."""

    def __init__(self, facts: Facts, package: str, nodes: dict[int, Values] | None = None) -> None:
        self.facts, self.package, self.nodes = facts, package, nodes
        self.inside = ""
        self._function: Function | None = None
        self._expressions = Expressions(self)
        self._env: Env = {}
        self._loops = 0
        self._within = ""  # the class whose body is read
        self.guarded = False
        self.caught = False
        self.noted = Noted(facts)
        self._global: set[str] = set()  # names of the file that the function binds
        self._later: Env = {}  # what functions bind them to
        self._shared: set[str] = set()  # names that a function inside of this one binds too

    # ---- what expressions ask

    def free(self, name: str, line: int) -> Value:
        """A name that the function does not bind."""
        return Global(line, name)

    @contextmanager
    def condition(self) -> Iterator[None]:
        """What is read meanwhile may not run."""
        was, self.guarded = self.guarded, True
        try:
            yield
        finally:
            self.guarded = was

    def yielded(self, values: Values) -> None:
        """What a generator gives."""
        if self._function is not None:
            self._function.yields = united(self._function.yields, values)

    def extended(self, target: ast.expr, values: Values, line: int) -> None:
        """`target.append(values)`."""
        if isinstance(target, ast.Name) and target.id in self._env:
            self._env[target.id] = united(self._env[target.id], (Listing(line, values),))

    def updated(self, target: ast.expr, more: Record, line: int) -> None:
        """`target.update(more)`: the later keys win."""
        if isinstance(target, ast.Name) and target.id in self._env:
            self._changed(target.id, self._env)
            self._env[target.id] = (Record(line, dict(more.fields), (self._env[target.id], *more.spreads)),)

    # ---- the file

    def module(self, tree: ast.Module) -> None:
        """Read the file's own statements, then every function and class."""
        env: Env = {}
        self._body(tree.body, env)
        self.facts.variables = env
        for name, function, cls in functions(tree.body):
            if not cls or cls in self.facts.classes:  # a class that never comes to be (TYPE_CHECKING, after a `raise`)
                self._read_function(name, function, cls)
        for name, found in self._later.items():
            env[name] = united(env.get(name, ()), found)

    def _read_function(self, name: str, at: FunctionNode, cls: str) -> None:
        function = signature(name, at, cls, self._parameters(at.args))
        if name in self.facts.functions and not OVER & {d.rpartition(".")[2] for d in function.decorators}:
            self.facts.again.add(name)
        self.facts.functions[name] = function
        self.inside, self._function, self._loops, self.guarded, self.caught = name, function, 0, False, False
        self._shared, self._global = set(), set()
        env: Env = {p.name: (Param(at.lineno, name, p.name),) for p in function.parameters}
        self._body(at.body, env)
        if cls and function.name == f"{cls}.{at.name}":
            self.facts.classes[cls].methods[at.name] = name
        self.inside, self._function = "", None

    def _parameters(self, args: ast.arguments) -> tuple[Parameter, ...]:
        """The parameters with what their defaults may be."""
        defaults = {
            arg.arg: self._expressions.of(default, dict(self.facts.variables))
            for arg, _, default in syntax.parameters(args)
            if default is not None
        }
        return tuple(replace(p, default=defaults.get(p.name, ())) for p in parameters(args))

    def _class(self, at: ast.ClassDef, env: Env) -> None:
        outer = self._within
        name = f"{outer}.{at.name}" if outer else at.name
        made = class_head(name, at)
        if self.facts.classes.get(name, made).line != at.lineno:
            self.facts.again.add(name)
        self.facts.classes[name] = made
        if outer:
            self.facts.classes[outer].inner[at.name] = name
        self._within = name
        inner = dict(env)
        for statement in at.body:
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    made.methods[statement.name] = f"{name}.{statement.name}"
                case ast.AnnAssign(target=ast.Name(id=attribute), annotation=annotation, value=value):
                    made.hints[attribute] = text_of(annotation) or ""
                    made.attributes[attribute] = self._expressions.of(value, inner)
                case ast.Assign(targets=targets, value=value):
                    found = self._expressions.of(value, inner)
                    for target in targets:
                        self.bind(target, found, inner)
                        if isinstance(target, ast.Name):
                            made.attributes[target.id] = found
                case _:
                    self._statement(statement, inner)
        self._within = outer

    # ---- statements

    def _body(self, body: Sequence[ast.stmt], env: Env) -> bool:
        """Read statements in order; False where their end is never reached."""
        return all(self._statement(statement, env) for statement in body)

    def _statement(self, at: ast.stmt, env: Env) -> bool:
        self._env = env
        value = self._expressions.of
        match at:
            case ast.Expr(value=inner):
                dropped(inner, value(inner, env), env)
            case ast.Assign(targets=targets, value=inner):
                found = value(inner, env)
                for target in targets:
                    self.bind(target, found, env)
            case ast.AnnAssign(target=target, annotation=annotation, value=inner):
                found = value(inner, env)
                hint = Hinted(at.lineno, text_of(annotation) or "")
                self.bind(target, united(found, (hint,)) if not tells(found) else found, env)
            case ast.AugAssign(target=target, op=op, value=inner):
                self._augmented(target, op, value(inner, env), env, at.lineno)
            case ast.Return(value=inner):
                found = value(inner, env)
                if self._function is not None:
                    self._function.returns = united(self._function.returns, found)
                return False
            case ast.Raise(exc=exc, cause=cause):
                value(exc, env)
                value(cause, env)
                return False
            case ast.Break() | ast.Continue():
                self.guarded = True  # what follows in the loop runs where this was not taken
            case ast.Assert(test=test):
                value(test, env)
                self.guarded = True  # what follows runs only where it held
            case ast.Nonlocal(names=names):
                self._shared.update(names)
            case ast.Global(names=names):
                self._global.update(names)
            case ast.Import() | ast.ImportFrom():
                imported(at, self.facts, self.package)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Delete():
                self._definition(at, env)
            case _:
                return self._compound(at, env)
        return True

    def _definition(self, at: ast.ClassDef | FunctionNode | ast.Delete, env: Env) -> None:
        match at:
            case ast.ClassDef():
                self._class(at, env)
                env.pop(at.name, None)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for default in (*at.args.defaults, *at.args.kw_defaults, *at.decorator_list):
                    self._expressions.of(default, env)
                if self.inside:
                    self._nested(at, env)
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name):
                        env.pop(target.id, None)

    def _compound(self, at: ast.stmt, env: Env) -> bool:
        value = self._expressions.of
        match at:
            case ast.If(test=test, body=body, orelse=orelse):
                value(test, env)
                return self._branches([live(test, body), orelse], env)
            case ast.For(target=target, iter=over) | ast.AsyncFor(target=target, iter=over):
                found = value(over, env)
                self._loop(at.body, env, target, (Element(at.lineno, found),))
                self._body(at.orelse, env)
            case ast.While(test=test, body=body, orelse=orelse):
                value(test, env)
                with nullcontext() if isinstance(test, ast.Constant) else self.condition():
                    self._loop(body, env)
                self._body(orelse, env)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for one in items:
                    found = value(one.context_expr, env)
                    if one.optional_vars is not None:
                        by = "__enter__" if isinstance(at, ast.With) else "__aenter__"
                        self.bind(one.optional_vars, (Entered(at.lineno, found, by),) if found else (), env)
                outside, self.caught = self.caught, self.caught or any(map(suppresses, items))
                ran = self._body(body, env)
                self.caught = outside
                return ran
            case ast.Try() | ast.TryStar():
                return self._try(at, env)
            case ast.Match(subject=subject, cases=cases):
                found = value(subject, env)
                before, ends = dict(env), []
                for case in cases:
                    inner = dict(before)
                    matched(case.pattern, found, inner)
                    value(case.guard, inner)
                    with self.condition():
                        if self._body(case.body, inner):
                            ends.append(inner)
                joined(env, [*ends, before])
        return True

    def _branches(self, bodies: list[list[ast.stmt]], env: Env) -> bool:
        ends: list[Env] = []
        for body in bodies:
            inner = dict(env)
            with self.condition():
                if self._body(body, inner):
                    ends.append(inner)
        if len(ends) < len(bodies):
            self.guarded = True  # what follows runs only where that way was not taken
        if ends:
            joined(env, ends)
        return bool(ends)

    def _loop(self, body: list[ast.stmt], env: Env, target: ast.expr | None = None, element: Values = ()) -> None:
        self._loops += 1
        for _ in range(TWICE if self._loops <= MAX_LOOPS else 1):
            inner = dict(env)
            guarded = self.guarded
            if target is not None:
                self.bind(target, element, inner)
            self._body(body, inner)
            self.guarded = guarded
            joined(env, [env, inner])
        self._loops -= 1

    def _try(self, at: ast.Try | ast.TryStar, env: Env) -> bool:
        before = dict(env)
        inner = dict(env)
        ends: list[Env] = []
        outside, self.caught = self.caught, self.caught or any(map(swallows, at.handlers))
        ran = self._body(at.body, inner)
        self.caught = outside
        if ran and self._body(at.orelse, inner):
            ends.append(inner)
        for handler in at.handlers:
            caught = dict(before)
            joined(caught, [before, inner])
            if handler.name:
                caught[handler.name] = (Unknown(handler.lineno, "an exception"),)
            with self.condition():
                if self._body(handler.body, caught):
                    ends.append(caught)
        if ends:
            joined(env, ends)
        return self._body(at.finalbody, env) and bool(ends)

    def _augmented(self, target: ast.expr, op: ast.operator, found: Values, env: Env, line: int) -> None:
        if isinstance(target, ast.Name):
            was = env.get(target.id, ())
            made = (Computed(line, united(was, found)),)
            if isinstance(op, ast.BitOr):
                env[target.id] = (Record(line, {}, (was, found)),)
            else:  # `rows += more` keeps what was in there, `mass *= 2` does not
                env[target.id] = united(was, found, made) if isinstance(op, ast.Add) else made
        elif isinstance(target, ast.Subscript | ast.Attribute):
            read = copy(target)
            read.ctx = ast.Load()
            was = self._expressions.of(read, env)
            self.bind(target, (Computed(line, united(was, found)),), env)

    def _changed(self, name: str, env: Env) -> None:
        """Something is stored in what a name holds: if that is a parameter, whoever called will find it there."""
        if self._function is not None:
            for value in env.get(name, ()):
                if isinstance(value, Param) and value.function == self.inside:
                    self._function.changes.add(value.name)

    def _nested(self, at: FunctionNode, env: Env) -> None:
        """A function in a function: read with what stands around it; its calls count as the outer function's."""
        inner = dict(env)
        for p in parameters(at.args):
            hint = (
                Hinted(at.lineno, p.annotation) if p.annotation else Unknown(at.lineno, "a nested function's parameter")
            )
            inner[p.name] = (hint,)
        kept, self._function = self._function, None
        self._body(at.body, inner)
        self._function = kept
        for name in self._shared & env.keys():
            env[name] = (Touched(at.lineno, env[name]),)
        env[at.name] = (Unknown(at.lineno, "a nested function"),)

    def bind(self, target: ast.expr, found: Values, env: Env) -> None:
        """Bind a name, an attribute, a key or several."""
        match target:
            case ast.Name(id=name):
                env[name] = found if name not in self._shared else (Touched(target.lineno, found),)
                if name in self._global:
                    self._later[name] = united(self._later.get(name, ()), found)
                for key in [k for k in env if k.startswith(name + ".")]:
                    del env[key]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for i, part in enumerate(parts):
                    if isinstance(part, ast.Starred):
                        rest = tuple(Element(part.lineno, (v,)) for v in found)
                        self.bind(part.value, (Listing(part.lineno, rest),), env)
                        break
                    self.bind(part, item(found, i, part.lineno), env)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr):
                # A setter may make something of it, and no one file tells which class this is of.
                if owner != "self":
                    self.noted.bound(target, self._expressions.of(target.value, env), self.inside, found)
                env[f"{owner}.{attr}"] = found if owner == "self" else (Computed(target.lineno, found),)
                self._stored(owner, attr, found)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
                self.noted.bound(target, self._expressions.of(target.value, env), self.inside, found)
                self._changed(name, env)
                if name in env or self.inside:  # else it is imported, and stays what it is
                    env[name] = (Record(target.lineno, {key: found}, (env.get(name, ()),)),)
            case ast.Subscript(value=ast.Name(id=name)) if env.get(name):
                self._expressions.of(target, env)
                self.noted.bound(target, env[name], self.inside, found)
                self._changed(name, env)
                env[name] = (Touched(target.lineno, united(env[name], (Listing(target.lineno, found),))),)
            case ast.Subscript(value=ast.Call(func=ast.Name(id="globals")), slice=ast.Constant(value=str() as name)):
                self._later[name] = united(self._later.get(name, ()), found)
            case ast.Attribute() | ast.Subscript():
                self._expressions.of(target, env)
                self.noted.bound(target, self._expressions.of(target.value, env), self.inside, found)
            case _:
                self._expressions.of(target, env)

    def _stored(self, owner: str, attr: str, found: Values) -> None:
        """`self.attr = …` in a method."""
        function = self._function
        if function is None or not function.cls or not function.parameters or function.parameters[0].name != owner:
            return
        stored = self.facts.classes[function.cls].stored
        stored[attr] = united(stored.get(attr, ()), found)
