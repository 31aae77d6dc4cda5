"""Whether code that shows something is ever run. What stands in a function that nobody uses may be wrong for years."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.analysis.values import Call, Function
from graphbus_core.node_base import GraphBusNode
from graphbus_core.syntax import called_name

MAX_CALLERS = 3  # functions around a call whose callers are looked at
# A name that so many files speak of is used by one of them.
MAX_FILES = 200
# These change how a function is called. Any other decorator may hand it to whoever will call it.
_STILL_OWN = frozenset(
    """staticmethod classmethod property cached_property cache lru_cache wraps override overload abstractmethod
    contextmanager asynccontextmanager singledispatch deprecated""".split()  # noqa: SIM905
)
_OF_PYTHON = frozenset({"object", "Generic", "ABC", "Protocol", "NamedTuple", "TypedDict", "Enum"})
_OF_TESTS = re.compile(r"test|setUp|tearDown|setup_|teardown_|pytest_")
_SETTINGS = ("pyproject.toml", "setup.cfg")  # entry points stand there
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Parents = dict[ast.AST, ast.AST]


class FileTree:
    """The syntax of a text, walked once: each node's parent, and where it names, calls or quotes what."""

    def __init__(self, content: bytes) -> None:
        try:
            self.tree = ast.parse(content)
        except (SyntaxError, ValueError):
            self.tree = ast.Module([], [])
        self.parents: Parents = {}
        self.calls: list[ast.Call] = []
        self.classes: list[ast.ClassDef] = []
        self.texts: list[ast.Constant] = []
        self._called: dict[str, list[ast.Call]] = {}
        self._named: dict[str, list[ast.AST]] = {}  # what is read, not what is bound
        self._aliases: dict[str, set[str]] = {}
        for node in ast.walk(self.tree):
            self.parents |= dict.fromkeys(ast.iter_child_nodes(node), node)
            match node:
                case ast.Name(id=word, ctx=ast.Load()) | ast.Attribute(attr=word, ctx=ast.Load()):
                    self._named.setdefault(word, []).append(node)
                case ast.Call():
                    self.calls.append(node)
                    self._called.setdefault(_read_last_word(node.func), []).append(node)
                case ast.Constant(value=str()):
                    self.texts.append(node)
                case ast.ClassDef():
                    self.classes.append(node)
                case ast.alias(name=name, asname=str() as other):
                    self._aliases.setdefault(name.rpartition(".")[2], set()).add(other)

    def find_calls(self, name: str) -> Iterator[ast.Call]:
        """The calls of a name, or of what an import calls it here."""
        return (call for word in {name} | self._aliases.get(name, set()) for call in self._called.get(word, ()))

    def find_mentions(self, name: str) -> Iterator[ast.AST]:
        """Where it is read, by any of its names here, or stands in text: `jobs.run`, `jobs:run()`."""
        for word in {name} | self._aliases.get(name, set()):
            yield from self._named.get(word, ())
        in_text = re.compile(rf"(?:[\w.]*[.:])?{re.escape(name)}(?:\(\))?")
        yield from (node for node in self.texts if in_text.fullmatch(str(node.value)) is not None)


# Each commit of a build asks again, and most files are as they were.
read_tree = lru_cache(maxsize=512)(FileTree)


@dataclass
class Reachability:
    """One project. `methods` are the names of the components' methods: those are called by the bus.

    What cannot be told counts as used: a name in text, a function that is decorated or overrides somebody's method.
    """

    texts: ProjectFiles
    methods: Collection[str] = ()
    _seen: set[tuple[str, int]] = field(default_factory=set)

    def is_run(self, path: str, line: int, word: str) -> bool:
        """Whether a call of `word` that stands in a line is in code that something reaches."""
        file = self._read_tree(path)
        parents, calls = file.parents, [n for n in file.calls if n.lineno == line]
        # `self.call("Paint", "brush")` has the method in text.
        calls = [n for n in calls if _read_last_word(n) == word] or calls
        self._seen.clear()
        return not calls or any(self._is_reached(path, parents, _find_scope(parents, call)) for call in calls)

    def is_conditional(self, path: str, line: int, word: str) -> bool:
        """Whether a call of `word` in a line is only made, or what it gives only bound, where some condition holds.

        `if __name__ == "__main__"` is not one. Nor are the functions around it called but under a condition.
        """
        file = self._read_tree(path)
        parents, calls = file.parents, [n for n in file.calls if n.lineno == line]
        calls = [n for n in calls if _read_last_word(n) == word] or calls
        return any(
            _is_under_condition(parents, call)
            or _is_bound_under_condition(parents, call)
            or self._is_called_under_condition(path, parents, call)
            for call in calls
        )

    def _is_called_under_condition(self, path: str, parents: Parents, node: ast.AST, steps: int = 0) -> bool:
        """Whether every call of the function that a node stands in is made under a condition."""
        scope = _find_scope(parents, node)
        if not isinstance(scope, FunctionNode) or scope.name in self.methods or steps >= MAX_CALLERS:
            return False
        calls = [
            (other, file.parents, call)
            for other in islice(self._find_mentioning_files(scope.name), MAX_FILES)
            for file in [self._read_tree(other)]
            for call in file.find_calls(scope.name)
        ]
        return bool(calls) and all(
            _is_under_condition(others, call) or self._is_called_under_condition(other, others, call, steps + 1)
            for other, others, call in calls
        )

    def _is_reached(self, path: str, parents: Parents, scope: Scope | None) -> bool:
        if scope is None:
            return True
        key = path, scope.lineno
        if key in self._seen:  # functions that only call one another are called by nobody
            return False
        self._seen.add(key)
        return self._is_used(path, parents, scope)

    def _is_used(self, path: str, parents: Parents, scope: Scope) -> bool:
        if isinstance(scope, ast.Lambda):
            match parents[scope]:
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    return self._is_mentioned(name)
            return self._is_reached(path, parents, _find_scope(parents, scope))
        name, cls = scope.name, parents[scope]
        if name in self.methods or any(_read_last_word(d) not in _STILL_OWN for d in scope.decorator_list):
            return True
        if self.texts.is_test(path) and _OF_TESTS.match(name):
            return True
        if isinstance(cls, ast.ClassDef) and self._is_overriding(cls, name):
            return True
        if isinstance(cls, ast.ClassDef) and name.startswith("__") and name.endswith("__"):
            return bool(cls.decorator_list) or self._is_mentioned(cls.name)
        return self._is_mentioned(name)

    def _is_overriding(self, cls: ast.ClassDef, name: str, steps: int = 5) -> bool:
        """Whether a class may give a method to code that is not of this project: a thread, a command, a test case."""
        for base in map(_read_last_word, cls.bases):
            if base == "GraphBusNode":
                if hasattr(GraphBusNode, name):
                    return True
            elif base not in _OF_PYTHON:
                files = map(self._read_tree, self._find_mentioning_files(base))
                own = [n for file in files for n in file.classes if n.name == base]
                if not own or steps <= 0 or any(self._is_overriding(o, name, steps - 1) for o in own):
                    return True
        return False

    def _is_mentioned(self, name: str) -> bool:
        """Whether code that is reached names it: calls it, hands it on, or has it in text."""
        paths = list(self._find_mentioning_files(name))
        if len(paths) > MAX_FILES or self._is_entry(name):
            return True
        files = ((path, self._read_tree(path)) for path in paths)
        return any(
            self._is_reached(path, file.parents, _find_scope(file.parents, node))
            for path, file in files
            for node in file.find_mentions(name)
        )

    def _is_entry(self, name: str) -> bool:
        met = re.compile(rf"[:.]{re.escape(name)}\b")
        for file in _SETTINGS:
            try:
                if met.search((self.texts.root / file).read_text("utf-8", "replace")):
                    return True
            except OSError:
                continue
        return False

    def _find_mentioning_files(self, word: str) -> Iterator[str]:
        met = word.encode()
        return (path for path in self.texts.paths if met in self.texts.read_content(path))

    def _read_tree(self, path: str) -> FileTree:
        return read_tree(self.texts.read_content(path))


def can_bind(call: Call, function: Function) -> bool:
    """Whether Python would take a call: no keyword that is unknown, none that is missing, no argument too many."""
    keyword_names = {p.name for p in function.parameters if p.kind in ("positional_or_keyword", "keyword_only")}
    kinds = {p.kind for p in function.parameters}
    if "var_keyword" not in kinds and not call.keywords.keys() <= keyword_names:
        return False
    if call.starred or call.spreads:
        return True
    positional = [p for p in function.parameters if p.kind.startswith("positional")]
    positional = positional[1 if function.cls and "staticmethod" not in function.decorators else 0 :]
    if len(call.args) > len(positional) and "var_positional" not in kinds:
        return False
    required = [*positional[len(call.args) :], *(p for p in function.parameters if p.kind == "keyword_only")]
    return all(p.default or p.name in call.keywords for p in required)


def _find_scope(parents: Parents, node: ast.AST) -> Scope | None:
    """The function whose body holds a node. A decorator, a default or a base class is run with what is around it."""
    child, up = node, parents.get(node)
    while up is not None:
        if isinstance(up, ast.Lambda) and child is up.body:
            return up
        if isinstance(up, ast.FunctionDef | ast.AsyncFunctionDef) and child in up.body:
            return up
        child, up = up, parents.get(up)
    return None


def _is_under_condition(parents: Parents, node: ast.AST) -> bool:
    """Whether a node of a function, or of a file, is only reached where some condition holds."""
    child, up = node, parents.get(node)
    while up is not None and not (isinstance(up, Scope) and child in _list_body(up)):
        match up:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                is_free = child is test or isinstance(test, ast.Constant) or _is_main_guard(test)
            case ast.BoolOp(values=values):
                is_free = child is values[0]
            case ast.match_case():
                is_free = False
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                is_free = not any(generator.ifs for generator in up.generators)
            case _:
                is_free = True
        if not is_free or any(map(_may_leave, _list_earlier(up, child))):
            return True
        child, up = up, parents.get(up)
    return up is not None and any(map(_may_leave, _list_earlier(up, child)))


def _is_bound_under_condition(parents: Parents, call: ast.Call) -> bool:
    """Whether a name that a call is given, or that such a name was bound with, is bound under a condition."""
    scope = _find_scope(parents, call)
    block = parents.get(call) if scope is None else scope
    while scope is None and block is not None and block in parents:
        block = parents[block]
    bound: dict[str, list[ast.AST]] = {}
    for node in ast.walk(block) if block is not None else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and _find_scope(parents, node) is scope:
            bound.setdefault(node.id, []).append(node)
    todo, seen = [*call.args, *(k.value for k in call.keywords)], set[str]()
    while todo:
        for name in {n.id for n in ast.walk(todo.pop()) if isinstance(n, ast.Name)} - seen:
            seen.add(name)
            for node in bound.get(name, ()):
                if _is_under_condition(parents, node):
                    return True
                todo += [v for v in (getattr(parents[node], "value", None),) if isinstance(v, ast.expr)]
    return False


def _is_main_guard(test: ast.expr) -> bool:
    """`if __name__ == "__main__":`, which is how a script begins."""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _list_body(scope: Scope) -> list[ast.AST]:
    return [scope.body] if isinstance(scope, ast.Lambda) else [*scope.body]


def _list_earlier(up: ast.AST, child: ast.AST) -> list[ast.stmt]:
    """The statements that stand before one in the same block."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(up, name, None)
        if isinstance(block, list) and child in block:
            return block[: block.index(child)]
    return []


def _may_leave(statement: ast.stmt) -> bool:
    """Whether what follows a statement may not run, by a way out that depends on a condition."""
    return any(
        isinstance(leaving, ast.Return | ast.Raise | ast.Continue | ast.Break)
        for branch in ast.walk(statement)
        if isinstance(branch, ast.If | ast.Match)
        for leaving in ast.walk(branch)
    )


def _read_last_word(node: ast.AST) -> str:
    """The last word of what is named or called."""
    if isinstance(node, ast.Call | ast.Subscript):
        return _read_last_word(node.func if isinstance(node, ast.Call) else node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


# Whether a test says that a call is right. A passing test may as well show that it fails, or never run it.


_FAILING = frozenset(
    """raises warns deprecated_call suppress assertRaises assertRaisesRegex assertWarns assertWarnsRegex
    assertNotEqual assertFalse assertIsNone assertNotIn assertIsNot""".split()  # noqa: SIM905
)
_UNHELD = frozenset({"xfail", "skip", "skipif", "expectedFailure", "skipIf", "skipUnless"})
_HOLDING = frozenset({"assertEqual", "assertIs", "assertTrue", "assertDictEqual", "assertIn", "assertAlmostEqual"})
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def confirms_call(content: bytes, line: int) -> bool:
    """Whether the call that stands in `line` of a test file must work, and give what is expected, for it to pass.

    So it stands in no lambda, in no block that waits for an error, in no test that is skipped or expected to fail; and
    an assertion that wants equality is about what it gives. What is not seen to be so does not count.
    """
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return False
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.lineno == line]
    if not calls or _is_skipped(tree.body):
        return False
    return all(_is_call_asserted(parents, call) for call in _find_outermost(calls, parents))


def _find_outermost(calls: list[ast.Call], parents: dict[ast.AST, ast.AST]) -> Iterator[ast.Call]:
    """The calls of a line that stand in no other one of it, but for calls that only check."""
    for call in calls:
        inside = [
            up
            for up in _iter_ancestors(parents, call)
            if up in calls and called_name(up) not in _HOLDING | {"run", "float"}
        ]
        if not inside and called_name(call) not in _HOLDING:
            yield call


def _is_call_asserted(parents: dict[ast.AST, ast.AST], call: ast.Call) -> bool:
    names: set[str] = set()
    is_asserted = False
    for up in _iter_ancestors(parents, call):
        match up:
            case ast.Lambda() | ast.Try() | ast.TryStar():
                return False
            case ast.With(items=items) | ast.AsyncWith(items=items):
                if any(called_name(item.context_expr) in _FAILING for item in items):
                    return False
            case ast.Call():
                if called_name(up) in _FAILING:
                    return False
                is_asserted |= called_name(up) in _HOLDING
            case ast.Assert(test=test):
                is_asserted |= _is_equality(test)
            case ast.Assign(targets=targets):
                names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
            case (
                ast.FunctionDef(decorator_list=marks)
                | ast.AsyncFunctionDef(decorator_list=marks)
                | ast.ClassDef(decorator_list=marks)
            ):
                if any(called_name(mark) in _UNHELD for mark in marks) or _is_skipped(up.body):
                    return False
                if isinstance(up, FunctionNode) and names:
                    is_asserted |= _is_name_asserted(up, names)
    return is_asserted


def _is_name_asserted(function: FunctionNode, names: set[str]) -> bool:
    """Whether what a name holds is held to be equal to something in the function, and nowhere to differ."""
    is_asserted = False
    for node in ast.walk(function):
        if isinstance(node, ast.Assert) and _mentions(node.test, names):
            if not _is_equality(node.test):
                return False
            is_asserted = True
        elif isinstance(node, ast.Call) and _mentions(node, names):
            if called_name(node) in _FAILING:
                return False
            is_asserted |= called_name(node) in _HOLDING
    return is_asserted


def _mentions(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


def _is_equality(test: ast.expr) -> bool:
    match test:
        case ast.Compare(ops=ops):
            return all(isinstance(op, ast.Eq | ast.Is | ast.In) for op in ops)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_is_equality(value) for value in values)
    return False


def _is_skipped(body: list[ast.stmt]) -> bool:
    """A file, class or function that is skipped or expected to fail as a whole: `pytestmark = …`, `pytest.skip()`."""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                return any(called_name(n) in _UNHELD for n in ast.walk(value) if isinstance(n, ast.expr))
            case ast.Expr(value=ast.Call() as call) if called_name(call) in _UNHELD | {"importorskip"}:
                return True
    return False


def _iter_ancestors(parents: dict[ast.AST, ast.AST], node: ast.AST) -> Iterator[ast.AST]:
    while (node := parents.get(node)) is not None:  # type: ignore[assignment]
        yield node
