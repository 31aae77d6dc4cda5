"""Who calls a method or publishes to a topic, in the project's own files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.followed.receivers import Is, Receivers, around, parents
from graphbus_core.build.edit.records import argument, text_of
from graphbus_core.build.edit.text import fstrings
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.worktree import Worktree, functions
from graphbus_core.build.link.links import pattern
from graphbus_core.build.understand.ends import BY_NAME
from graphbus_core.build.understand.keys.scope import FUNCTIONS, Function, bound, uses
from graphbus_core.syntax import last_name, literal_text

PUBLISHING = frozenset({"publish", "apublish"})


@dataclass(frozen=True)
class CallSite:
    """A call of a method. `certain`: what it is called on is known to be of the class; else nobody can tell."""

    source: Source
    call: ast.Call
    certain: bool
    named: bool  # called by its names in text: `bus.call("Cleaner", "clean", …)`
    shift: int = 0  # arguments before the method's own: `Cleaner.clean(cleaner, …)`, the names in text

    @property
    def place(self) -> str:
        """`agents/cleaner.py:12`."""
        return f"{self.source.path}:{self.call.lineno}"


@dataclass(frozen=True)
class Reference:
    """A method that is spoken of without being called: `f = a.go`, `partial(a.go, n=1)`, `getattr(a, "go")`."""

    source: Source
    node: ast.expr
    certain: bool

    @property
    def place(self) -> str:
        """`agents/cleaner.py:12`."""
        return f"{self.source.path}:{self.node.lineno}"


def of_method(work: Worktree, node: str, method: str) -> list[CallSite]:
    """Every call that is, or may be, one of `node.method`. What is known to be something else is not among them."""
    pattern = _word(method)
    judge, found = Receivers(work, node, method), []
    for source in sources(work):
        near = pattern.search(source.data) is not None
        if not near and not _CALLS.search(source.data):
            continue
        for call in ast.walk(source.tree):
            if not isinstance(call, ast.Call):
                continue
            if near and isinstance(call.func, ast.Attribute) and call.func.attr == method:
                kind = judge.of(source, call.func.value)
                if kind is not Is.OTHER:
                    found.append(CallSite(source, call, kind is Is.OURS, False, judge.unbound(source, call.func.value)))
            elif names := named(work, source, call, node, method):
                found.append(CallSite(source, call, True, True, names))
    return found


def named(work: Worktree, source: Source, call: ast.Call, node: str, method: str) -> int:
    """How many arguments of a call name the method in text, as `("Cleaner", "clean")` or `"Cleaner.clean"`; 0: none."""
    dynamic = isinstance(call.func, ast.Attribute) and call.func.attr in BY_NAME
    for i, given in enumerate(call.args[:4]):
        text = _text_at(work, source, given) if dynamic else getattr(given, "value", None)
        if text == f"{node}.{method}" and (dynamic or call.keywords or len(call.args) > 1):
            return i + 1
        if text == node and len(call.args) > i + 1:
            after = call.args[i + 1]
            second = _text_at(work, source, after) if dynamic else getattr(after, "value", None)
            if second == method:
                return i + 2
    return 0


def references(work: Worktree, node: str, method: str) -> list[Reference]:
    """Where the method is spoken of without being called."""
    said = bool(_saying(work, method))
    pattern, judge, found = _word(method), Receivers(work, node, method), list[Reference]()
    for source in sources(work):
        if not pattern.search(source.data) and b"getattr" not in source.data:
            continue
        called = {id(n.func) for n in ast.walk(source.tree) if isinstance(n, ast.Call)}
        for at in ast.walk(source.tree):
            kind = _spoken_of(judge, source, at, called, method, said)
            if kind is not Is.OTHER:
                assert isinstance(at, ast.expr)
                found.append(Reference(source, at, kind is Is.OURS))
        if source is judge.home:  # `alias = go`, `{"a": go}` in the class's own body
            for statement in judge.cls.body:
                if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    found += [
                        Reference(source, n, True)
                        for n in ast.walk(statement)
                        if isinstance(n, ast.Name) and n.id == method and isinstance(n.ctx, ast.Load)
                    ]
    return found


def in_text(work: Worktree, node: str, method: str) -> Iterator[Reference]:
    """Texts that name the method with its class: `"Cleaner.clean"`, `patch("agents.cleaner.Cleaner.clean")`."""
    cls = work.node(node)[1].name
    path = re.compile(rf"(?:[\w.]+[.:])?(?:{re.escape(node)}|{re.escape(cls)})\.{re.escape(method)}")
    for source in sources(work):
        if f".{method}".encode() in source.data:
            for at in ast.walk(source.tree):
                if isinstance(at, ast.Constant) and isinstance(at.value, str) and path.fullmatch(at.value):
                    yield Reference(source, at, True)


def by_word(work: Worktree, method: str) -> list[Reference]:
    """Texts that are the method's name, where the project asks for names: `CALLS[f.__name__] = f`."""
    asking = any(_ASKED.search(one.data) for one in sources(work))
    return _saying(work, method) if asking else []


def _saying(work: Worktree, method: str) -> list[Reference]:
    """Texts that are the method's name."""
    return [
        Reference(source, at, False)
        for source in sources(work)
        if method.encode() in source.data
        for at in ast.walk(source.tree)
        if isinstance(at, ast.Constant) and at.value == method
    ]


def _spoken_of(judge: Receivers, source: Source, at: ast.AST, called: set[int], method: str, said: bool) -> Is:
    """Whether an expression hands the method on, or may; OTHER where it surely does not. `said`: its name is a text."""
    match at:
        case ast.Attribute(value=value, attr=attr) if attr == method and id(at) not in called:
            return judge.of(source, value)
        case ast.Call(func=ast.Name(id="getattr"), args=[of, name, *_]) if not isinstance(name, ast.Constant):
            # a name that is computed may be this one, of an object that nobody can tell where that text is written
            known = judge.of(source, of)
            return known if said or known is Is.OURS else Is.OTHER
        case ast.Call(func=func, args=[of, ast.Constant(value=text), *_]) if text == method:
            # `patch.object(Cleaner, "clean")`: whatever takes an object of ours and the method's name may use it
            known = judge.of(source, of)
            return known if last_name(func) in _BY_NAME or known is Is.OURS else Is.OTHER
        case ast.Call(func=ast.Name(id="vars")) | ast.Attribute(attr="__dict__") if said:
            whose = _attributes_of(judge, source, at)
            return whose if whose is Is.OURS and isinstance(at, ast.expr) else Is.OTHER
        case ast.Subscript(value=of, slice=ast.Constant(value=text)) if text == method:
            return _attributes_of(judge, source, of)
        case ast.Call(func=ast.Attribute(value=of, attr="get" | "pop"), args=[ast.Constant(value=text), *_]):
            return _attributes_of(judge, source, of) if text == method else Is.OTHER
        case ast.Call(args=[word, *_]) if is_caller(at):
            by_name = method in str(word.value).split(".") if isinstance(word, ast.Constant) else said
            return Is.UNKNOWN if by_name else Is.OTHER
        case ast.Call(func=func, keywords=given) if last_name(func) in _PATCHING and any(
            k.arg == method for k in given
        ):
            return Is.UNKNOWN
    return Is.OTHER


def _attributes_of(judge: Receivers, source: Source, mapping: ast.expr) -> Is:
    """Whose attributes a mapping holds: `vars(cleaner)`, `Cleaner.__dict__`; OTHER where it is another mapping."""
    match mapping:
        case ast.Call(func=ast.Name(id="vars"), args=[of]) | ast.Attribute(value=of, attr="__dict__"):
            return judge.of(source, of)
    return Is.OTHER


def is_caller(at: ast.AST) -> bool:
    """Whether it makes a function that calls or gets by name."""
    return isinstance(at, ast.Call) and last_name(at.func) in ("methodcaller", "attrgetter")


_ASKED = re.compile(rb"\.__(?:qual)?name__|\bgetmembers\(|\bdir\(")
_PATCHING = frozenset(
    {"SimpleNamespace", "multiple", "configure_mock", "Mock", "MagicMock", "AsyncMock", "create_autospec"}
)
_BY_NAME = frozenset({"getattr", "hasattr", "setattr", "delattr", "getattr_static"})
_CALLS = re.compile(rb"\.(?:" + b"|".join(sorted(w.encode() for w in BY_NAME)) + rb")\b")


def _word(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")


def _text_at(work: Worktree, source: Source, expr: ast.expr) -> str | None:
    """The text of an argument: written out, a constant of the file, or a local that is set once."""
    if isinstance(expr, ast.Name):
        for place in around(source, expr):
            if isinstance(place, FUNCTIONS) and expr.id in bound(place.body):
                stores = [n for n in uses(place, expr.id).names if isinstance(n.ctx, ast.Store)]
                up = parents(source).get(id(stores[0])) if len(stores) == 1 else None
                value = up.value if isinstance(up, ast.Assign | ast.AnnAssign) else None
                return literal_text(value)
    owner = next((n for n in around(source, expr) if isinstance(n, ast.ClassDef)), None)
    return text_of(work, source, expr, owner)


def sources(work: Worktree) -> Iterator[Source]:
    """The project's files that can be read."""
    for path in work.paths:
        try:
            source = work.source(path)
            _ = source.tree
        except Refusal:
            continue  # a file that does not parse calls nothing
        yield source


@dataclass(frozen=True)
class Publishing:
    """One `self.publish(topic, payload)` in a node's class."""

    source: Source
    function: Function
    call: ast.Call
    payload: ast.expr | None


def of_topic(work: Worktree, node: str, topic: str) -> tuple[list[Publishing], list[str]]:
    """A node's own publishings to a topic, and the places where the topic cannot be told."""
    source, cls = work.node(node)
    found, unknown = [], []
    for at, owner in work.family(source, cls):
        for function in functions(owner):
            called = {id(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)}
            for call in ast.walk(function):
                if isinstance(call, ast.Attribute) and id(call) not in called and _publishes(call):
                    unknown.append(f"{at.path}:{call.lineno}")  # `send = self.publish`
                if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _publishes(call.func)):
                    continue
                said = argument(call, "topic", 0)
                text = _text_at(work, at, said) if isinstance(said, ast.Name) else text_of(work, at, said, owner)
                if text is None:
                    unknown.append(f"{at.path}:{call.lineno}")
                elif text == topic:
                    fstrings.mend(at, function)
                    found.append(Publishing(at, function, call, argument(call, "payload", 1)))
    return found, unknown


def _publishes(func: ast.Attribute) -> bool:
    """`self.publish`, `self.apublish`, `self.bus.publish`."""
    value = func.value
    if isinstance(value, ast.Attribute) and value.attr == "bus":
        value = value.value
    return func.attr in PUBLISHING and isinstance(value, ast.Name) and value.id == "self"


def elsewhere(work: Worktree, node: str, topic: str) -> list[tuple[Source, ast.Call]]:
    """Publishings to a topic outside of a node's class: another node's, a script's."""
    source, cls = work.node(node)
    own = {id(n) for _, owner in work.family(source, cls) for n in ast.walk(owner)}
    found = []
    for at in sources(work):
        if b"publish" not in at.data:
            continue
        for call in ast.walk(at.tree):
            if isinstance(call, ast.Call) and id(call) not in own and last_name(call.func) in PUBLISHING:
                said = argument(call, "topic", 0)
                if isinstance(call.func, ast.Attribute) and said is not None and _text_at(work, at, said) == topic:
                    found.append((at, call))
    return found


def handlers(work: Worktree, topic: str) -> list[tuple[Source, ast.ClassDef, Function, str]]:
    """The methods that a topic's events are handed to, with the node's name."""
    found = []
    for agent in work.agents.values():
        for subscription in agent.subscriptions:
            if pattern(subscription.topic.name).fullmatch(topic):
                found.append((*work.method(agent.name, subscription.handler_name), agent.name))
    return found
