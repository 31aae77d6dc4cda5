"""Whether code that shows something is ever run. What stands in a function that nobody uses may be wrong for years."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from graphbus_core.build.understand.text.files import Texts
from graphbus_core.build.understand.text.values import Call, Function
from graphbus_core.node_base import GraphBusNode

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


@dataclass
class Reached:
    """One project. `methods` are the names of the components' methods: those are called by the bus.

    What cannot be told counts as used: a name in text, a function that is decorated or overrides somebody's method.
    """

    texts: Texts
    methods: Collection[str] = ()
    _trees: dict[str, tuple[ast.Module, Parents]] = field(default_factory=dict)
    _seen: set[tuple[str, int]] = field(default_factory=set)

    def is_run(self, path: str, line: int, word: str) -> bool:
        """Whether a call of `word` that stands in a line is in code that something reaches."""
        tree, parents = self._tree(path)
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.lineno == line]
        # `self.call("Paint", "brush")` has the method in text.
        calls = [n for n in calls if _last(n) == word] or calls
        self._seen.clear()
        return not calls or any(self._reached(path, parents, _scope(parents, call)) for call in calls)

    def _reached(self, path: str, parents: Parents, scope: Scope | None) -> bool:
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
                    return self._is_spoken_of(name)
            return self._reached(path, parents, _scope(parents, scope))
        name, cls = scope.name, parents[scope]
        if name in self.methods or any(_last(d) not in _STILL_OWN for d in scope.decorator_list):
            return True
        if self.texts.is_test(path) and _OF_TESTS.match(name):
            return True
        if isinstance(cls, ast.ClassDef) and self._is_overriding(cls, name):
            return True
        if isinstance(cls, ast.ClassDef) and name.startswith("__") and name.endswith("__"):
            return bool(cls.decorator_list) or self._is_spoken_of(cls.name)
        return self._is_spoken_of(name)

    def _is_overriding(self, cls: ast.ClassDef, name: str, steps: int = 5) -> bool:
        """Whether a class may give a method to code that is not of this project: a thread, a command, a test case."""
        for base in map(_last, cls.bases):
            if base == "GraphBusNode":
                if hasattr(GraphBusNode, name):
                    return True
            elif base not in _OF_PYTHON:
                trees = [self._tree(path)[0] for path in self._speaking(base)]
                own = [n for t in trees for n in ast.walk(t) if isinstance(n, ast.ClassDef) and n.name == base]
                if not own or steps <= 0 or any(self._is_overriding(o, name, steps - 1) for o in own):
                    return True
        return False

    def _is_spoken_of(self, name: str) -> bool:
        """Whether code that is reached names it: calls it, hands it on, or has it in text."""
        paths = list(self._speaking(name))
        if len(paths) > MAX_FILES or self._is_entry(name):
            return True
        in_text = re.compile(rf"(?:[\w.]*[.:])?{re.escape(name)}(?:\(\))?")
        for path in paths:
            tree, parents = self._tree(path)
            for node in ast.walk(tree):
                match node:
                    case ast.Name(id=word) | ast.Attribute(attr=word) if word == name:
                        found = isinstance(node.ctx, ast.Load)
                    case ast.Constant(value=str() as text):
                        found = in_text.fullmatch(text) is not None
                    case _:
                        continue
                if found and self._reached(path, parents, _scope(parents, node)):
                    return True
        return False

    def _is_entry(self, name: str) -> bool:
        met = re.compile(rf"[:.]{re.escape(name)}\b")
        for file in _SETTINGS:
            try:
                if met.search((self.texts.root / file).read_text("utf-8", "replace")):
                    return True
            except OSError:
                continue
        return False

    def _speaking(self, word: str) -> Iterator[str]:
        met = word.encode()
        return (path for path in self.texts.paths if met in self.texts.content(path))

    def _tree(self, path: str) -> tuple[ast.Module, Parents]:
        if path not in self._trees:
            try:
                tree = ast.parse(self.texts.content(path))
            except (SyntaxError, ValueError):
                tree = ast.Module([], [])
            self._trees[path] = tree, {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        return self._trees[path]


def can_be_made(call: Call, function: Function) -> bool:
    """Whether Python would take a call: no keyword that is unknown, none that is missing, no argument too many."""
    named = {p.name for p in function.parameters if p.kind in ("positional_or_keyword", "keyword_only")}
    kinds = {p.kind for p in function.parameters}
    if "var_keyword" not in kinds and not call.keywords.keys() <= named:
        return False
    if call.starred or call.spreads:
        return True
    positional = [p for p in function.parameters if p.kind.startswith("positional")]
    positional = positional[1 if function.cls and "staticmethod" not in function.decorators else 0 :]
    if len(call.args) > len(positional) and "var_positional" not in kinds:
        return False
    asked = [*positional[len(call.args) :], *(p for p in function.parameters if p.kind == "keyword_only")]
    return all(p.default or p.name in call.keywords for p in asked)


def _scope(parents: Parents, node: ast.AST) -> Scope | None:
    """The function whose body holds a node. A decorator, a default or a base class is run with what is around it."""
    at, up = node, parents.get(node)
    while up is not None:
        if isinstance(up, ast.Lambda) and at is up.body:
            return up
        if isinstance(up, ast.FunctionDef | ast.AsyncFunctionDef) and at in up.body:
            return up
        at, up = up, parents.get(up)
    return None


def _last(node: ast.AST) -> str:
    """The last word of what is named or called."""
    if isinstance(node, ast.Call | ast.Subscript):
        return _last(node.func if isinstance(node, ast.Call) else node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
