"""Names: in changed code every name is defined, every attribute is there, every path gives what was promised."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from graphbus_core.analysis.links.findings import lint
from graphbus_core.analysis.scan import Project
from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_proved, report_refused
from graphbus_core.node_base import GraphBusNode
from graphbus_core.syntax import walk_body

# Slips in code that can be told from its text: a name, an attribute or an answer that is not there.
#
# For whoever has no type checker installed; with one, its gate says more. Only what is certain counts: a class whose
# bases are not all known may have any attribute, and a path that raises returns nothing on purpose. A slip that stood
# before the change is not held against it. Source in, findings out; nothing is run.


_Def = ast.FunctionDef | ast.AsyncFunctionDef
_LITERALS = ast.Constant | ast.JoinedStr | ast.Tuple | ast.List | ast.Set | ast.Lambda | ast.Compare
_MADE = ast.ListComp | ast.SetComp | ast.GeneratorExp
_NO_OBJECTS = frozenset({"print", "str", "len", "list", "sorted", "tuple", "set", "int", "float", "bool", "json.dumps"})
_DYNAMIC = frozenset({"__getattr__", "__getattribute__", "__slots__", "__set_name__"})


def find_undefined_names(source: bytes, path: str) -> set[str]:
    """`path: undefined name 'x' (line n)` for each, in what is written and in what is left of it when it runs."""
    from pyflakes import checker, messages  # only where a commit is on trial: most builds change nothing

    try:
        tree = ast.parse(source)
        trees = [tree, _RuntimeView().visit(ast.parse(source))] if b"TYPE_CHECKING" in source else [tree]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # whoever parses it says so
    kinds = (messages.UndefinedName, messages.UndefinedLocal)
    problems = [
        m for variant in trees for m in checker.Checker(variant, filename=path).messages if isinstance(m, kinds)
    ]
    return {f"{path}: {m.message % m.message_args} (line {m.lineno})" for m in problems} | _find_undefined_globals(
        tree, path
    )


class _RuntimeView(ast.NodeTransformer):
    """A module without what only a type checker reads: `if TYPE_CHECKING:`, annotations, types in quotes."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.copy_location(ast.Constant(None), node)
        return super().visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            node.body = [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.copy_location(ast.Constant(""), node) if isinstance(node.value, str) else node


def _find_undefined_globals(tree: ast.Module, path: str) -> set[str]:
    """`global n` and then `n += 1`, where nothing in the module ever gives n a first value."""
    added = {id(n.target) for n in ast.walk(tree) if isinstance(n, ast.AugAssign)}
    assigned = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
             and id(n) not in added}  # fmt: skip
    assigned |= {name for node in tree.body for name in _collect_bound_names(node)}
    missing = {
        (n, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Global)
        for n in node.names
        if n not in assigned
    }
    return {f"{path}: undefined name {name!r} (line {line})" for name, line in missing}


def can_fall_through(function: _Def) -> bool:
    """Whether some path of a function that gives a value elsewhere reaches its end without giving any.

    A body that is `...`, `pass` or `raise NotImplementedError` gives nothing, unless it is there to be overridden.
    """
    if any(ast.unparse(d).rpartition(".")[2] in ("abstractmethod", "overload") for d in function.decorator_list):
        return False
    return not is_generator(function) and (_is_stub(function.body) or not _is_exiting_block(function.body))


def is_generator(function: _Def) -> bool:
    """Whether it yields: a call of it gives an iterator, whatever it returns."""
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in walk_body(function.body))


def can_return_no_object(function: _Def) -> bool:
    """Whether some return gives what is certainly no object: nothing, a list, a function, `x if y else None`."""
    own = [*walk_body(function.body)]
    inner = {n.name for n in own if isinstance(n, _Def)}
    values = [n.value for n in own if isinstance(n, ast.Return)]
    return any(value is None or _is_no_object(value, inner) for value in values)


def _is_no_object(value: ast.expr, functions: set[str]) -> bool:
    match value:
        case ast.IfExp(body=one, orelse=other):
            return _is_no_object(one, functions) or _is_no_object(other, functions)
        case ast.BoolOp(op=ast.And()):
            return True  # what is empty or None is given as it is
        case ast.BoolOp(values=values):
            return _is_no_object(values[-1], functions)
        case ast.Name(id=name):
            return name in functions
        case ast.Call(func=func):
            return ast.unparse(func) in _NO_OBJECTS
    return isinstance(value, _LITERALS | _MADE)


def find_undeclared_keys(function: _Def, declared: Collection[str]) -> set[str]:
    """Keys of a plain dict that is built up and returned (`out = {}; out["x"] = …`) which nobody declared."""
    returned = {
        n.value.id for n in walk_body(function.body) if isinstance(n, ast.Return) and isinstance(n.value, ast.Name)
    }
    plain, keys = set[str](), list[tuple[str, str]]()
    for node in walk_body(function.body):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ):
                if name in plain or not isinstance(value, ast.Dict):
                    returned.discard(name)  # it may be another object by then
                plain.add(name)
                dicts = value.keys if isinstance(value, ast.Dict) else []
                keys += [(name, k.value) for k in dicts if isinstance(k, ast.Constant) and isinstance(k.value, str)]
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)), ctx=ast.Store()):
                keys.append((name, key))
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop" | "clear" | "popitem"))
                | ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name))])
            ):
                returned.discard(name)
    return {key for name, key in keys if name in returned & plain and key not in declared}


def _is_stub(body: list[ast.stmt]) -> bool:
    """Nothing but `...`, `pass`, `raise NotImplementedError` and docstrings."""
    return all(
        isinstance(n, ast.Pass)
        or (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))
        or (isinstance(n, ast.Raise) and n.exc is not None and "NotImplementedError" in ast.unparse(n.exc))
        for n in body
    )


def _is_exiting_block(body: list[ast.stmt]) -> bool:
    """Whether control never reaches what stands behind these statements."""
    return any(is_exiting(statement) for statement in body)


def is_exiting(node: ast.stmt) -> bool:
    """Whether control never reaches what stands behind this statement."""
    match node:
        case ast.Return() | ast.Raise():
            return True
        case ast.If():
            return bool(node.orelse) and _is_exiting_block(node.body) and _is_exiting_block(node.orelse)
        case ast.While():
            forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
            return forever and not any(isinstance(n, ast.Break) for n in _iter_loop_nodes(node))
        case ast.With() | ast.AsyncWith():
            return _is_exiting_block(node.body) and not any(map(is_suppressing, node.items))
        case ast.Try() | ast.TryStar():
            return _is_exiting_try(node)
        case ast.Match():
            whole = any(is_catch_all(case) for case in node.cases)
            return whole and all(_is_exiting_block(case.body) for case in node.cases)
        case ast.Expr(value=ast.Call(func=func)):
            return ast.unparse(func) in ("sys.exit", "exit", "quit", "os._exit", "assert_never")
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
    return False


def _is_exiting_try(node: ast.Try | ast.TryStar) -> bool:
    """A `finally` that ends wins over whatever happened above; else each way through has to end."""
    ways = [[*node.body, *node.orelse], *(handler.body for handler in node.handlers)]
    return _is_exiting_block(node.finalbody) or all(map(_is_exiting_block, ways))


def is_suppressing(item: ast.withitem) -> bool:
    """Whether a manager is there to swallow what is raised; of any other it is not assumed."""
    call = item.context_expr
    return isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in ("suppress", "raises")


def is_catch_all(case: ast.match_case) -> bool:
    """Whether it takes whatever the cases before it left."""
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _iter_loop_nodes(node: ast.While) -> Iterator[ast.AST]:
    """What stands in a loop, without loops and functions of its own: a `break` in those leaves only them."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        current = stack.pop()
        yield current
        if not isinstance(current, ast.While | ast.For | ast.AsyncFor | _Def | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(current))


def find_missing_attributes(cls: ast.ClassDef, inherited: frozenset[str] | None) -> set[str]:
    """Attributes that are read from `self` and that nothing gives it. `inherited`: what its bases have; None: unknown.

    Whatever is assigned to `self`, or set by `setattr`, anywhere in the class counts as given.
    """
    own = {name for statement in cls.body for name in _collect_bound_names(statement)}
    if inherited is None or own & _DYNAMIC or cls.keywords:
        return set()
    provided, read, missed = own | inherited, set[str](), set[str]()
    for function in (n for n in cls.body if isinstance(n, _Def)):
        if function.args.args and not _is_static(function):
            for node in ast.walk(function):
                name = _find_read_attribute(node, function.args.args[0].arg, cls.name)
                match node:
                    # These give an object attributes that no assignment shows: then nothing can be missed.
                    case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(put)), _]):
                        provided.add(put)
                    case ast.Call(func=ast.Name(id="setattr" | "vars")) | ast.Attribute(attr="__dict__"):
                        return set()
                    case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=above):
                        if above not in inherited:
                            missed.add(above)
                    case ast.Attribute(ctx=ast.Store() | ast.Del(), attr=put) if name:
                        provided.add(put)
                    case _ if name:
                        read.add(name)
    return missed | {name for name in read - provided if not (name.startswith("__") and name.endswith("__"))}


def _find_read_attribute(node: ast.AST, me: str, cls: str) -> str | None:
    """The attribute that is named on `self`, on its class, or by `getattr` without a default."""
    match node:
        case ast.Call(
            func=ast.Name(id="getattr"), args=[ast.Name(id=owner), ast.Constant(value=str(name))], keywords=[]
        ):
            return name if owner == me else None
        case ast.Attribute(value=value, attr=name):
            return name if ast.unparse(value) in (me, f"type({me})", f"{me}.__class__", cls) else None
    return None


def _is_static(function: _Def) -> bool:
    return any(ast.unparse(d) in ("staticmethod", "classmethod") for d in function.decorator_list)


def _collect_bound_names(node: ast.stmt) -> set[str]:
    """The names that a statement of a class body binds, at any depth."""
    if isinstance(node, _Def | ast.ClassDef):
        return {node.name}
    names = set()
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            names.add(child.id)
        elif isinstance(child, _Def | ast.ClassDef):
            names.add(child.name)
        elif isinstance(child, ast.alias):
            names.add((child.asname or child.name).partition(".")[0])
    return names


# Names that are given on one path and read on every path: `for …: last = …` and then `last`, without a line at all.
#
# A branch that guards the read as well may be the same condition once more, so a read counts only where no condition
# stands between it and the place where the paths meet again. Source in, findings out; nothing is run.


_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_EVERYTHING = frozenset({"*"})  # what a path that never arrives has given: it takes nothing from the others


@dataclass(frozen=True)
class _PathState:
    """What is known where control stands. `certain` and `possible` are the names given on all and on some paths."""

    certain: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    excused: frozenset[str] = frozenset()  # possible, read under a condition of its own

    def bind_names(self, names: Iterable[str]) -> _PathState:
        return replace(self, certain=self.certain | set(names), possible=self.possible | set(names))

    def enter_branch(self) -> _PathState:
        return replace(self, excused=self.excused | self.possible)


def find_unbound_names(source: bytes, path: str) -> set[str]:
    """`path: 'x' in f may have no value (line n)`, one for each function and name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # whoever parses it says so
    problems = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for name, line in _PathReader(node).missing.items():
                problems.add(f"{path}: {name!r} in {node.name} has no value on every path that reads it (line {line})")
    return problems


class _PathReader:
    """One pass over a function's own statements, branch by branch."""

    def __init__(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.missing: dict[str, int] = {}
        outer = (n for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal))
        self.outer = frozenset(name for node in outer for name in node.names)
        parameters = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
        self._follow_block(function.body, _PathState().bind_names(parameters))

    def _follow_block(self, body: Iterable[ast.stmt], state: _PathState) -> _PathState:
        for statement in body:
            state = self._follow_statement(statement, state)
        return state

    def _follow_statement(self, node: ast.stmt, state: _PathState) -> _PathState:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                state = self._follow_reads(test, state)
                return self._join_paths(
                    state,
                    [self._follow_block(body, state.enter_branch()), self._follow_block(orelse, state.enter_branch())],
                )
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._follow_loop(node, state)
            case ast.Try() | ast.TryStar():
                return self._follow_try(node, state)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    state = self._follow_reads(item, state)
                after = self._follow_block(body, state)
                return self._join_paths(state, [state, after]) if any(map(is_suppressing, items)) else after
            case ast.Match(subject=subject, cases=cases):
                state = self._follow_reads(subject, state)
                ends = [self._follow_block(c.body, self._follow_reads(c, state.enter_branch())) for c in cases]
                return self._join_paths(state, ends if any(map(is_catch_all, cases)) else [*ends, state])
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                return state.bind_names([name])
        state = self._follow_reads(node, state)
        is_left = is_exiting(node) or isinstance(node, ast.Break | ast.Continue)
        return replace(state, certain=state.certain | _EVERYTHING) if is_left else state

    def _join_paths(self, before: _PathState, ends: list[_PathState]) -> _PathState:
        """Where the paths meet. One that left by `return` or `raise` is not a path any more."""
        arriving = [end.certain for end in ends if "*" not in end.certain]
        certain = frozenset.intersection(*arriving) if arriving else before.certain | _EVERYTHING
        return _PathState(certain, before.possible.union(*(end.possible for end in ends)), before.excused)

    def _follow_loop(self, node: ast.For | ast.AsyncFor | ast.While, state: _PathState) -> _PathState:
        state = self._follow_reads(node.test if isinstance(node, ast.While) else node.iter, state)
        inner = (
            state.enter_branch()
            if isinstance(node, ast.While)
            else self._follow_reads(node.target, state.enter_branch())
        )
        after = self._follow_block(node.body, inner)
        if _is_surely_entered(
            node
        ):  # at least once; where it leaves in the middle, nobody can tell, so all of it counts
            return _PathState(state.certain | after.possible, after.possible, state.excused)
        skipped = self._follow_block(node.orelse, replace(state.enter_branch(), possible=after.possible))
        certain = skipped.certain - _EVERYTHING  # with `else`, what a `break` skips was found before it
        return _PathState(state.certain | certain, skipped.possible, state.excused)

    def _follow_try(self, node: ast.Try | ast.TryStar, state: _PathState) -> _PathState:
        body = self._follow_block(node.body, state)
        failed = replace(state, possible=body.possible).enter_branch()
        ends = [self._follow_block(node.orelse, body)]
        for handler in node.handlers:
            ends.append(self._follow_block(handler.body, failed.bind_names([handler.name] if handler.name else [])))
        joined = self._join_paths(state, ends)
        last = self._follow_block(node.finalbody, replace(joined, excused=state.excused | joined.possible))
        return replace(last, excused=state.excused)

    def _follow_reads(self, node: ast.AST, state: _PathState) -> _PathState:
        """What an expression or a simple statement reads, and what it gives afterwards."""
        bound_names: set[str] = set()
        dropped: set[str] = set()
        for child in _iter_evaluated_nodes(node):
            match child:
                case ast.Name(id=name, ctx=ast.Load()) if name in state.possible - state.certain - state.excused:
                    if "*" not in state.certain and name not in self.outer:
                        self.missing.setdefault(name, child.lineno)
                case ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    bound_names.add(name)
                case ast.MatchMapping(rest=str(name)):
                    bound_names.add(name)
                case ast.alias(name=name, asname=asname):
                    bound_names.add((asname or name).partition(".")[0])
                case ast.Name(id=name, ctx=ast.Del()):
                    dropped.add(name)
        state = state.bind_names(bound_names)
        return replace(state, certain=state.certain - dropped, possible=state.possible - dropped)


def _is_surely_entered(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether its body runs at least once, as far as its text tells."""
    if isinstance(node, ast.While):
        return isinstance(node.test, ast.Constant) and bool(node.test.value)
    match node.iter:
        case ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_]):
            return True
        case ast.Call(func=ast.Name(id="range"), args=args):
            return all(isinstance(a, ast.Constant) for a in args)
    return False


def _iter_evaluated_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated with a node: without bodies of functions and cases, and without what a comprehension names."""
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        yield current
        match current:
            case ast.match_case(pattern=pattern, guard=guard):
                stack += [pattern, *([guard] if guard else [])]
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                own = {n.id for g in current.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
                for child in ast.iter_child_nodes(current):
                    stack += (n for n in _iter_evaluated_nodes(child) if isinstance(n, ast.Name) and n.id not in own)
            case ast.IfExp() | ast.BoolOp():
                stack += (
                    [current.test] if isinstance(current, ast.IfExp) else current.values[:1]
                )  # the others have a condition
            case _ if not isinstance(current, _Scope):
                stack += ast.iter_child_nodes(current)


# What a method may count on, having nothing but GraphBusNode above its class.
INHERITED = frozenset(dir(GraphBusNode)) | frozenset(dir(object))
# Findings of the lint that mean broken code where they are new: code that no longer keeps its own contract.
BROKEN = frozenset({"undeclared_returned_field", "missing_returned_field", "returned_type"})


def ask(trial: Trial) -> GateAnswer:
    """Compare before and after; the first new slip refuses, with where it stands."""
    for path in trial.files:
        before, after = trial.applied.before[path], trial.applied.after[path]
        old = {_strip_line(message) for message in _find_bad_names(before, path)}
        new = [message for message in sorted(_find_bad_names(after, path)) if _strip_line(message) not in old]
        if new:
            return report_refused(f"{new[0]}.")
    changed = {agent.name for agent in trial.after.agents if agent.source_file in trial.applied.after}
    stood = {entry[:2] for entry in _iter_findings(trial.project, changed)}
    for finding in _iter_findings(trial.after, changed):
        if finding[:2] not in stood:
            return report_refused(finding[-1])
    return report_proved("from the text alone; a type checker says more")


GATE = Gate("names", ask)


def _find_bad_names(source: bytes, path: str) -> set[str]:
    return find_undefined_names(source, path) | find_unbound_names(source, path)


def _strip_line(finding: str) -> str:
    return finding.rpartition(" (line")[0]


def _iter_findings(project: Project, names: set[str]) -> Iterator[tuple[str, ...]]:
    """What is wrong with these agents, as (place, kind, sentence): the first two are compared, since a sentence may
    hold a line."""
    agents = [agent for agent in project.agents if agent.name in names]
    for issue in lint(project, names):
        if issue.kind in BROKEN:
            yield issue.method, issue.kind, issue.message
    for agent in agents:
        cls = _parse_class(agent.source_code)
        if cls is None:
            continue
        bases = [ast.unparse(b).rpartition(".")[2] for b in cls.bases]
        for name in sorted(find_missing_attributes(cls, INHERITED if bases == ["GraphBusNode"] else None)):
            yield f"{agent.name}.{name}", "attribute", f"{agent.name} reads self.{name}, which nothing gives it."
        promised = {m.name: m.output_schema for m in agent.methods if _is_object_promised(m.output_schema)}
        for function in cls.body:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name in promised:
                yield from _iter_broken_promises(f"{agent.name}.{function.name}", function, promised[function.name])


def _iter_broken_promises(
    where: str, function: ast.FunctionDef | ast.AsyncFunctionDef, output: Any
) -> Iterator[tuple[str, ...]]:
    """Where a method that promises an object gives none, or gives one with keys that nobody declared."""
    if can_fall_through(function):
        yield where, "path", f"{where}: a path through it ends without returning what its contract promises."
    elif is_generator(function):
        yield where, "yields", f"{where} yields, so a call gives an iterator; its contract promises an object."
    elif can_return_no_object(function):
        yield where, "bare", f"{where} returns no object on one path; its contract promises one."
    fields = output.json_schema.get("properties", {})
    for key in sorted(find_undeclared_keys(function, fields)) if fields else ():
        yield f"{where}.{key}", "key", f"{where} returns {key!r}, which its output contract does not declare."


def _is_object_promised(output: object) -> bool:
    """Whether an output contract wants an object every time."""
    schema = getattr(output, "json_schema", None)
    return isinstance(schema, dict) and schema.get("type") == "object" and bool(schema.get("required"))


def _parse_class(source: str) -> ast.ClassDef | None:
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError, RecursionError):
        return None
    return next((n for n in tree.body if isinstance(n, ast.ClassDef)), None)
