"""One file -> `Facts`: its functions read statement by statement, in the order they run. Nothing is imported or run.

A function is read once, branch by branch; a loop's body twice. So the cost grows with the text and never with the
number of ways through it, and the same text always gives the same facts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import replace
from typing import TypeAlias

from graphbus_core import syntax
from graphbus_core.analysis.expressions import (
    CallRecorder,
    Env,
    ExpressionReader,
    is_informative,
    join_environments,
    look_up_item,
)
from graphbus_core.analysis.newer_syntax import parse_source
from graphbus_core.analysis.scan.namespaces import resolve_import
from graphbus_core.analysis.values import (
    AnnotatedValue,
    CallResult,
    Class,
    CollectionValue,
    ComputedValue,
    Const,
    ContextValue,
    Element,
    Facts,
    Function,
    Global,
    Item,
    MutatedValue,
    Param,
    Parameter,
    Places,
    Record,
    TupleValue,
    Unknown,
    Value,
    Values,
    join_values,
)

# What stands in a syntax tree, as facts keep it: functions with their names, parameters, types as text.


OVER = frozenset({"overload", "setter", "deleter", "getter", "property"})  # one thing, written in several functions

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def iter_functions(body: Sequence[ast.stmt], outer: str = "", cls: str = "") -> Iterable[tuple[str, FunctionNode, str]]:
    """Every function of a file, conditional ones included; nested ones are read with their own."""
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield f"{outer}{statement.name}", statement, cls
            case ast.ClassDef():
                yield from iter_functions(statement.body, f"{outer}{statement.name}.", f"{outer}{statement.name}")
            case ast.If() | ast.Try() | ast.TryStar() | ast.With() | ast.For() | ast.While():
                for part in ("body", "orelse", "finalbody"):
                    yield from iter_functions(getattr(statement, part, ()), outer, cls)
                for handler in getattr(statement, "handlers", ()):
                    yield from iter_functions(handler.body, outer, cls)


def read_parameters(args: ast.arguments) -> tuple[Parameter, ...]:
    """The parameters as written."""
    return tuple(Parameter(a.arg, kind, render_text(a.annotation)) for a, kind, _ in syntax.list_parameters(args))


def read_signature(name: str, node: FunctionNode, cls: str, parameters: tuple[Parameter, ...]) -> Function:
    """A function with what its first lines say; what it does is not read yet."""
    decorators = tuple(render_text(d) or "" for d in node.decorator_list)
    is_async = isinstance(node, ast.AsyncFunctionDef)
    return Function(
        name, cls, node.lineno, parameters, render_text(node.returns), decorators, _read_places(node), is_async=is_async
    )


def read_class_head(name: str, node: ast.ClassDef) -> Class:
    """A class with what its first lines say; what stands in its body is not read yet."""
    class_facts = Class(name, node.lineno, tuple(render_text(b) or "" for b in node.bases))
    class_facts.metaclass = next((render_text(k.value) or "" for k in node.keywords if k.arg == "metaclass"), "")
    class_facts.decorators = tuple(render_text(d) or "" for d in node.decorator_list)
    return class_facts


def _read_places(node: FunctionNode) -> Places:
    ends = tuple(_read_end(arg) for arg, _, _ in syntax.list_parameters(node.args))
    defaults = [_read_end(d) for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
    hint = (
        (node.returns.lineno, node.returns.col_offset, *_read_end(node.returns)) if node.returns is not None else None
    )
    last = max((*ends, *defaults), default=None)
    return Places((node.lineno, node.col_offset), hint, ends, last, node.body[0].lineno)


def _read_end(node: ast.expr | ast.arg) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def render_text(node: ast.AST | None) -> str | None:
    match node:
        case None:
            return None
        case ast.Name(id=name):
            return name
        case ast.Constant(value=str() as text):
            return text
        case ast.Call(func=func):
            return render_text(func)
    return ast.unparse(node)


def add_imports(statement: ast.Import | ast.ImportFrom, facts: Facts, package: str) -> None:
    """Note the names that an import binds, inside functions too."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            top = alias.name if alias.asname else alias.name.partition(".")[0]
            _add_import(facts, alias.asname or top, (top, None))
        return
    base = resolve_import(statement, package)
    for alias in statement.names:
        if alias.name == "*":
            facts.stars.append(base)
        else:
            _add_import(facts, alias.asname or alias.name, (base, alias.name))


def _add_import(facts: Facts, name: str, target: tuple[str, str | None]) -> None:
    targets = facts.imports.setdefault(name, [])
    if target not in targets:
        targets.append(target)


def select_live(test: ast.expr, body: list[ast.stmt]) -> list[ast.stmt]:
    """What of an `if` ever runs: under `False` nothing, and under TYPE_CHECKING imports are read and nothing else."""
    if isinstance(test, ast.Constant) and not test.value:
        return []
    if render_text(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return [statement for statement in body if isinstance(statement, ast.Import | ast.ImportFrom)]
    return body


_OF_CALLS = frozenset({"TypeError", "Exception", "BaseException", "builtins.TypeError"})


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a handler goes on where a call could not be made as written: with a name that is not a parameter."""
    names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    if not any(name is None or render_text(name) in _OF_CALLS for name in names):
        return False
    return not (handler.body and isinstance(handler.body[-1], ast.Raise))


def suppresses(item: ast.withitem) -> bool:
    """`with suppress(…):`, `with pytest.raises(…):`: the same, said in one word."""
    callee = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
    return (render_text(callee) or "").rpartition(".")[2] in ("suppress", "raises", "assertRaises", "assertRaisesRegex")


def bind_pattern(pattern: ast.pattern, values: Values, env: dict[str, Values]) -> None:
    """Bind the names of a `case` to what the subject may be."""
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                bind_pattern(inner, values, env)
            if name:
                env[name] = values
        case ast.MatchMapping(keys=keys, patterns=patterns):
            for key, inner in zip(keys, patterns, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    bind_pattern(inner, look_up_item(values, key.value, pattern.lineno), env)
        case ast.MatchOr(patterns=patterns):
            for inner in patterns:
                bind_pattern(inner, values, env)
        case ast.MatchSequence(patterns=patterns):
            for i, inner in enumerate(patterns):
                bind_pattern(inner, look_up_item(values, i, pattern.lineno), env)
        case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns):
            for name, inner in zip(names, patterns, strict=True):
                bind_pattern(inner, (Item(pattern.lineno, values, name),), env)


def note_dropped_result(expression: ast.expr, values: Values, env: dict[str, Values]) -> None:
    """A call whose result nobody takes is made for what it does, maybe to what it is given: `in_metres(row)`."""
    match expression, values:
        case ast.Call(args=args, keywords=keywords), (CallResult(call=number),):
            for argument in (*args, *(k.value for k in keywords)):
                if not isinstance(argument, ast.Name):
                    continue
                argument_values = env.get(argument.id, ())
                if argument_values and not any(
                    isinstance(v, Record | TupleValue | CollectionValue | Const | MutatedValue) for v in argument_values
                ):
                    env[argument.id] = (MutatedValue(expression.lineno, argument_values, number),)


TWICE = 2  # a loop's body is read so often where loops are not nested deeper than MAX_LOOPS
MAX_LOOPS = 3


class FileReader:
    """Reads one file. `inside` is the function being read; `nodes`, where given, keeps every expression's values."""

    def __init__(self, facts: Facts, package: str, nodes: dict[int, Values] | None = None) -> None:
        self.facts, self.package, self.nodes = facts, package, nodes
        self.inside = ""
        self._function: Function | None = None
        self._expressions = ExpressionReader(self)
        self._env: Env = {}
        self._loops = 0
        self._within = ""  # the class whose body is read
        self.guarded = False
        self.caught = False
        self.noted = CallRecorder(facts)
        self._global: set[str] = set()  # names of the file that the function binds
        self._later: Env = {}  # what functions bind them to
        self._shared: set[str] = set()  # names that a function inside of this one binds too

    # ---- what expressions ask

    def build_free_name(self, name: str, line: int) -> Value:
        """A name that the function does not bind."""
        return Global(line, name)

    @contextmanager
    def enter_condition(self) -> Iterator[None]:
        """What is read meanwhile may not run."""
        was, self.guarded = self.guarded, True
        try:
            yield
        finally:
            self.guarded = was

    def note_yield(self, values: Values) -> None:
        """What a generator gives."""
        if self._function is not None:
            self._function.yields = join_values(self._function.yields, values)

    def note_extension(self, target: ast.expr, values: Values, line: int) -> None:
        """`target.append(values)`."""
        if isinstance(target, ast.Name) and target.id in self._env:
            self._env[target.id] = join_values(self._env[target.id], (CollectionValue(line, values),))

    def note_update(self, target: ast.expr, more: Record, line: int) -> None:
        """`target.update(more)`: the later keys win."""
        if isinstance(target, ast.Name) and target.id in self._env:
            self._note_change(target.id, self._env)
            self._env[target.id] = (Record(line, dict(more.fields), (self._env[target.id], *more.spreads)),)

    # ---- the file

    def read_module(self, tree: ast.Module) -> None:
        """Read the file's own statements, then every function and class."""
        env: Env = {}
        self._read_body(tree.body, env)
        self.facts.variables = env
        for name, function, cls in iter_functions(tree.body):
            if not cls or cls in self.facts.classes:  # a class that never comes to be (TYPE_CHECKING, after a `raise`)
                self._read_function(name, function, cls)
        for name, values in self._later.items():
            env[name] = join_values(env.get(name, ()), values)

    def _read_function(self, name: str, node: FunctionNode, cls: str) -> None:
        function = read_signature(name, node, cls, self._read_parameters(node.args))
        if name in self.facts.functions and not OVER & {d.rpartition(".")[2] for d in function.decorators}:
            self.facts.again.add(name)
        self.facts.functions[name] = function
        self.inside, self._function, self._loops, self.guarded, self.caught = name, function, 0, False, False
        self._shared, self._global = set(), set()
        env: Env = {p.name: (Param(node.lineno, name, p.name),) for p in function.parameters}
        self._read_body(node.body, env)
        if cls and function.name == f"{cls}.{node.name}":
            self.facts.classes[cls].methods[node.name] = name
        self.inside, self._function = "", None

    def _read_parameters(self, args: ast.arguments) -> tuple[Parameter, ...]:
        """The parameters with what their defaults may be."""
        defaults = {
            arg.arg: self._expressions.read_values(default, dict(self.facts.variables))
            for arg, _, default in syntax.list_parameters(args)
            if default is not None
        }
        return tuple(replace(p, default=defaults.get(p.name, ())) for p in read_parameters(args))

    def _read_class(self, node: ast.ClassDef, env: Env) -> None:
        outer = self._within
        name = f"{outer}.{node.name}" if outer else node.name
        class_facts = read_class_head(name, node)
        if self.facts.classes.get(name, class_facts).line != node.lineno:
            self.facts.again.add(name)
        self.facts.classes[name] = class_facts
        if outer:
            self.facts.classes[outer].inner[node.name] = name
        self._within = name
        inner = dict(env)
        for statement in node.body:
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    class_facts.methods[statement.name] = f"{name}.{statement.name}"
                case ast.AnnAssign(target=ast.Name(id=attribute), annotation=annotation, value=value):
                    class_facts.hints[attribute] = render_text(annotation) or ""
                    class_facts.attributes[attribute] = self._expressions.read_values(value, inner)
                case ast.Assign(targets=targets, value=value):
                    values = self._expressions.read_values(value, inner)
                    for target in targets:
                        self.bind(target, values, inner)
                        if isinstance(target, ast.Name):
                            class_facts.attributes[target.id] = values
                case _:
                    self._read_statement(statement, inner)
        self._within = outer

    # ---- statements

    def _read_body(self, body: Sequence[ast.stmt], env: Env) -> bool:
        """Read statements in order; False where their end is never reached."""
        return all(self._read_statement(statement, env) for statement in body)

    def _read_statement(self, statement: ast.stmt, env: Env) -> bool:
        self._env = env
        value = self._expressions.read_values
        match statement:
            case ast.Expr(value=inner):
                note_dropped_result(inner, value(inner, env), env)
            case ast.Assign(targets=targets, value=inner):
                values = value(inner, env)
                for target in targets:
                    self.bind(target, values, env)
            case ast.AnnAssign(target=target, annotation=annotation, value=inner):
                values = value(inner, env)
                hint = AnnotatedValue(statement.lineno, render_text(annotation) or "")
                self.bind(target, join_values(values, (hint,)) if not is_informative(values) else values, env)
            case ast.AugAssign(target=target, op=op, value=inner):
                self._bind_augmented(target, op, value(inner, env), env, statement.lineno)
            case ast.Return(value=inner):
                values = value(inner, env)
                if self._function is not None:
                    self._function.returns = join_values(self._function.returns, values)
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
                add_imports(statement, self.facts, self.package)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Delete():
                self._read_definition(statement, env)
            case _:
                return self._read_compound(statement, env)
        return True

    def _read_definition(self, statement: ast.ClassDef | FunctionNode | ast.Delete, env: Env) -> None:
        match statement:
            case ast.ClassDef():
                self._read_class(statement, env)
                env.pop(statement.name, None)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for default in (*statement.args.defaults, *statement.args.kw_defaults, *statement.decorator_list):
                    self._expressions.read_values(default, env)
                if self.inside:
                    self._read_nested(statement, env)
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name):
                        env.pop(target.id, None)

    def _read_compound(self, statement: ast.stmt, env: Env) -> bool:
        value = self._expressions.read_values
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                value(test, env)
                return self._read_branches([select_live(test, body), orelse], env)
            case ast.For(target=target, iter=over) | ast.AsyncFor(target=target, iter=over):
                values = value(over, env)
                self._read_loop(statement.body, env, target, (Element(statement.lineno, values),))
                self._read_body(statement.orelse, env)
            case ast.While(test=test, body=body, orelse=orelse):
                value(test, env)
                with nullcontext() if isinstance(test, ast.Constant) else self.enter_condition():
                    self._read_loop(body, env)
                self._read_body(orelse, env)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for context_item in items:
                    values = value(context_item.context_expr, env)
                    if context_item.optional_vars is not None:
                        by = "__enter__" if isinstance(statement, ast.With) else "__aenter__"
                        self.bind(
                            context_item.optional_vars,
                            (ContextValue(statement.lineno, values, by),) if values else (),
                            env,
                        )
                outside, self.caught = self.caught, self.caught or any(map(suppresses, items))
                ran = self._read_body(body, env)
                self.caught = outside
                return ran
            case ast.Try() | ast.TryStar():
                return self._read_try(statement, env)
            case ast.Match(subject=subject, cases=cases):
                values = value(subject, env)
                before, ends = dict(env), []
                for case in cases:
                    inner = dict(before)
                    bind_pattern(case.pattern, values, inner)
                    value(case.guard, inner)
                    with self.enter_condition():
                        if self._read_body(case.body, inner):
                            ends.append(inner)
                join_environments(env, [*ends, before])
        return True

    def _read_branches(self, bodies: list[list[ast.stmt]], env: Env) -> bool:
        ends: list[Env] = []
        for body in bodies:
            inner = dict(env)
            with self.enter_condition():
                if self._read_body(body, inner):
                    ends.append(inner)
        if len(ends) < len(bodies):
            self.guarded = True  # what follows runs only where that way was not taken
        if ends:
            join_environments(env, ends)
        return bool(ends)

    def _read_loop(self, body: list[ast.stmt], env: Env, target: ast.expr | None = None, element: Values = ()) -> None:
        self._loops += 1
        for _ in range(TWICE if self._loops <= MAX_LOOPS else 1):
            inner = dict(env)
            guarded = self.guarded
            if target is not None:
                self.bind(target, element, inner)
            self._read_body(body, inner)
            self.guarded = guarded
            join_environments(env, [env, inner])
        self._loops -= 1

    def _read_try(self, statement: ast.Try | ast.TryStar, env: Env) -> bool:
        before = dict(env)
        inner = dict(env)
        ends: list[Env] = []
        outside, self.caught = self.caught, self.caught or any(map(swallows, statement.handlers))
        ran = self._read_body(statement.body, inner)
        self.caught = outside
        if ran and self._read_body(statement.orelse, inner):
            ends.append(inner)
        for handler in statement.handlers:
            caught = dict(before)
            join_environments(caught, [before, inner])
            if handler.name:
                caught[handler.name] = (Unknown(handler.lineno, "an exception"),)
            with self.enter_condition():
                if self._read_body(handler.body, caught):
                    ends.append(caught)
        if ends:
            join_environments(env, ends)
        return self._read_body(statement.finalbody, env) and bool(ends)

    def _bind_augmented(self, target: ast.expr, op: ast.operator, values: Values, env: Env, line: int) -> None:
        if isinstance(target, ast.Name):
            was = env.get(target.id, ())
            computed = (ComputedValue(line, join_values(was, values)),)
            if isinstance(op, ast.BitOr):
                env[target.id] = (Record(line, {}, (was, values)),)
            else:  # `rows += more` keeps what was in there, `mass *= 2` does not
                env[target.id] = join_values(was, values, computed) if isinstance(op, ast.Add) else computed
        elif isinstance(target, ast.Subscript | ast.Attribute):
            read = copy(target)
            read.ctx = ast.Load()
            was = self._expressions.read_values(read, env)
            self.bind(target, (ComputedValue(line, join_values(was, values)),), env)

    def _note_change(self, name: str, env: Env) -> None:
        """Something is stored in what a name holds: if that is a parameter, whoever called will find it there."""
        if self._function is not None:
            for value in env.get(name, ()):
                if isinstance(value, Param) and value.function == self.inside:
                    self._function.changes.add(value.name)

    def _read_nested(self, node: FunctionNode, env: Env) -> None:
        """A function in a function: read with what stands around it; its calls count as the outer function's."""
        inner = dict(env)
        for p in read_parameters(node.args):
            hint = (
                AnnotatedValue(node.lineno, p.annotation)
                if p.annotation
                else Unknown(node.lineno, "a nested function's parameter")
            )
            inner[p.name] = (hint,)
        outer_function, self._function = self._function, None
        self._read_body(node.body, inner)
        self._function = outer_function
        for name in self._shared & env.keys():
            env[name] = (MutatedValue(node.lineno, env[name]),)
        env[node.name] = (Unknown(node.lineno, "a nested function"),)

    def bind(self, target: ast.expr, values: Values, env: Env) -> None:
        """Bind a name, an attribute, a key or several."""
        match target:
            case ast.Name(id=name):
                env[name] = values if name not in self._shared else (MutatedValue(target.lineno, values),)
                if name in self._global:
                    self._later[name] = join_values(self._later.get(name, ()), values)
                for key in [k for k in env if k.startswith(name + ".")]:
                    del env[key]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for i, part in enumerate(parts):
                    if isinstance(part, ast.Starred):
                        rest = tuple(Element(part.lineno, (v,)) for v in values)
                        self.bind(part.value, (CollectionValue(part.lineno, rest),), env)
                        break
                    self.bind(part, look_up_item(values, i, part.lineno), env)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr):
                # A setter may make something of it, and no one file tells which class this is of.
                if owner != "self":
                    self.noted.record_binding(
                        target, self._expressions.read_values(target.value, env), self.inside, values
                    )
                env[f"{owner}.{attr}"] = values if owner == "self" else (ComputedValue(target.lineno, values),)
                self._store_attribute(owner, attr, values)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
                self.noted.record_binding(target, self._expressions.read_values(target.value, env), self.inside, values)
                self._note_change(name, env)
                if name in env or self.inside:  # else it is imported, and stays what it is
                    env[name] = (Record(target.lineno, {key: values}, (env.get(name, ()),)),)
            case ast.Subscript(value=ast.Name(id=name)) if env.get(name):
                self._expressions.read_values(target, env)
                self.noted.record_binding(target, env[name], self.inside, values)
                self._note_change(name, env)
                env[name] = (
                    MutatedValue(target.lineno, join_values(env[name], (CollectionValue(target.lineno, values),))),
                )
            case ast.Subscript(value=ast.Call(func=ast.Name(id="globals")), slice=ast.Constant(value=str() as name)):
                self._later[name] = join_values(self._later.get(name, ()), values)
            case ast.Attribute() | ast.Subscript():
                self._expressions.read_values(target, env)
                self.noted.record_binding(target, self._expressions.read_values(target.value, env), self.inside, values)
            case _:
                self._expressions.read_values(target, env)

    def _store_attribute(self, owner: str, attr: str, values: Values) -> None:
        """`self.attr = …` in a method."""
        function = self._function
        if function is None or not function.cls or not function.parameters or function.parameters[0].name != owner:
            return
        stored = self.facts.classes[function.cls].stored
        stored[attr] = join_values(stored.get(attr, ()), values)


# One file -> its facts: from its bytes, or from a tree that is parsed already.


def read_file(path: str, content: bytes, package: str = "", trees: dict[str, ast.Module] | None = None) -> Facts:
    """What a file says; where it cannot be parsed, `problem` says why and nothing else is there.

    `trees` gets the syntax tree, for who reads it as well: parsing costs more than most of what follows.
    """
    facts = Facts(path)
    try:
        tree = parse_source(content, path)
        if trees is not None:
            trees[path] = tree
        FileReader(facts, package).read_module(tree)
    except (SyntaxError, ValueError) as e:
        facts.problem = f"{path}:{getattr(e, 'lineno', None) or 1} cannot be parsed: {getattr(e, 'msg', None) or e}"
    except (RecursionError, MemoryError):
        facts.problem = f"{path} is nested too deeply to be read"
    return facts


def read_tree(path: str, tree: ast.Module, package: str, nodes: dict[int, Values]) -> Facts:
    """The same for a tree that is parsed already; `nodes` is told what each of its expressions may be, by its id."""
    facts = Facts(path)
    try:
        FileReader(facts, package, nodes).read_module(tree)
    except RecursionError:
        facts.problem = f"{path} is nested too deeply to be read"
    return facts
