"""Who calls a method or publishes to a topic, in the project's own files."""

from __future__ import annotations

import ast
import doctest
import re
import textwrap
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from graphbus_core.analysis.flow_types import BY_NAME
from graphbus_core.analysis.keys import KeyTrace, KeyTracer
from graphbus_core.analysis.links.finder import compile_topic_pattern
from graphbus_core.analysis.scopes import FUNCTIONS, Function, collect_bound_names, find_uses
from graphbus_core.editing import fstrings
from graphbus_core.editing.contract_records import find_argument, resolve_text
from graphbus_core.editing.receivers import Ownership, ReceiverJudge, iter_ancestors, map_parents
from graphbus_core.editing.source import Source
from graphbus_core.editing.worktree import Worktree, list_methods
from graphbus_core.model.edit_outcome import Refusal
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
    """A method that is named without being called: `f = a.go`, `partial(a.go, n=1)`, `getattr(a, "go")`."""

    source: Source
    node: ast.expr
    certain: bool

    @property
    def place(self) -> str:
        """`agents/cleaner.py:12`."""
        return f"{self.source.path}:{self.node.lineno}"


def find_method_calls(work: Worktree, node: str, method: str) -> list[CallSite]:
    """Every call that is, or may be, one of `node.method`. What is known to be something else is not among them."""
    pattern = _compile_word_pattern(method)
    judge, sites = ReceiverJudge(work, node, method), []
    for source in iter_sources(work):
        near = pattern.search(source.data) is not None
        if not near and not _CALLS.search(source.data):
            continue
        for call in ast.walk(source.tree):
            if not isinstance(call, ast.Call):
                continue
            if near and isinstance(call.func, ast.Attribute) and call.func.attr == method:
                kind = judge.judge_receiver(source, call.func.value)
                if kind is not Ownership.OTHER:
                    sites.append(
                        CallSite(
                            source,
                            call,
                            kind is Ownership.OURS,
                            False,
                            judge.count_unbound_arguments(source, call.func.value),
                        )
                    )
            elif names := count_naming_arguments(work, source, call, node, method):
                sites.append(CallSite(source, call, True, True, names))
    return sites


def count_naming_arguments(work: Worktree, source: Source, call: ast.Call, node: str, method: str) -> int:
    """How many arguments of a call name the method in text, as `("Cleaner", "clean")` or `"Cleaner.clean"`; 0: none."""
    dynamic = isinstance(call.func, ast.Attribute) and call.func.attr in BY_NAME
    for i, positional in enumerate(call.args[:4]):
        text = _resolve_text(work, source, positional) if dynamic else getattr(positional, "value", None)
        if text == f"{node}.{method}" and (dynamic or call.keywords or len(call.args) > 1):
            return i + 1
        if text == node and len(call.args) > i + 1:
            after = call.args[i + 1]
            second = _resolve_text(work, source, after) if dynamic else getattr(after, "value", None)
            if second == method:
                return i + 2
    return 0


def find_references(work: Worktree, node: str, method: str) -> list[Reference]:
    """Where the method is named without being called."""
    has_text = bool(_find_texts_of_name(work, method))
    pattern, judge, matches = _compile_word_pattern(method), ReceiverJudge(work, node, method), list[Reference]()
    for source in iter_sources(work):
        if not pattern.search(source.data) and b"getattr" not in source.data:
            continue
        called_ids = {id(n.func) for n in ast.walk(source.tree) if isinstance(n, ast.Call)}
        for current in ast.walk(source.tree):
            kind = _judge_reference(judge, source, current, called_ids, method, has_text)
            if kind is not Ownership.OTHER:
                assert isinstance(current, ast.expr)
                matches.append(Reference(source, current, kind is Ownership.OURS))
        if source is judge.home:  # `alias = go`, `{"a": go}` in the class's own body
            for statement in judge.cls.body:
                if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    matches += [
                        Reference(source, n, True)
                        for n in ast.walk(statement)
                        if isinstance(n, ast.Name) and n.id == method and isinstance(n.ctx, ast.Load)
                    ]
    return matches


def find_qualified_texts(work: Worktree, node: str, method: str) -> Iterator[Reference]:
    """Texts that name the method with its class: `"Cleaner.clean"`, `patch("agents.cleaner.Cleaner.clean")`."""
    cls = work.find_node_class(node)[1].name
    path = re.compile(rf"(?:[\w.]+[.:])?(?:{re.escape(node)}|{re.escape(cls)})\.{re.escape(method)}")
    for source in iter_sources(work):
        if f".{method}".encode() in source.data:
            for current in ast.walk(source.tree):
                if (
                    isinstance(current, ast.Constant)
                    and isinstance(current.value, str)
                    and path.fullmatch(current.value)
                ):
                    yield Reference(source, current, True)


def find_looked_up_names(work: Worktree, method: str) -> list[Reference]:
    """Texts that are the method's name, where the project asks for names: `CALLS[f.__name__] = f`."""
    is_asked = any(_NAME_LOOKUPS.search(source.data) for source in iter_sources(work))
    return _find_texts_of_name(work, method) if is_asked else []


def _find_texts_of_name(work: Worktree, method: str) -> list[Reference]:
    """Texts that are the method's name."""
    return [
        Reference(source, node, False)
        for source in iter_sources(work)
        if method.encode() in source.data
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant) and node.value == method
    ]


def _judge_reference(
    judge: ReceiverJudge, source: Source, node: ast.AST, called_ids: set[int], method: str, has_text: bool
) -> Ownership:
    """Whether an expression hands the method on, or may; OTHER where it surely does not. `said`: its name is a text."""
    match node:
        case ast.Attribute(value=value, attr=attr) if attr == method and id(node) not in called_ids:
            return judge.judge_receiver(source, value)
        case ast.Call(func=ast.Name(id="getattr"), args=[of, name, *_]) if not isinstance(name, ast.Constant):
            # a name that is computed may be this one, of an object that nobody can tell where that text is written
            verdict = judge.judge_receiver(source, of)
            return verdict if has_text or verdict is Ownership.OURS else Ownership.OTHER
        case ast.Call(func=func, args=[of, ast.Constant(value=text), *_]) if text == method:
            # `patch.object(Cleaner, "clean")`: whatever takes an object of ours and the method's name may use it
            verdict = judge.judge_receiver(source, of)
            return verdict if last_name(func) in _BY_NAME or verdict is Ownership.OURS else Ownership.OTHER
        case ast.Call(func=ast.Name(id="vars")) | ast.Attribute(attr="__dict__") if has_text:
            whose = _judge_attribute_mapping(judge, source, node)
            return whose if whose is Ownership.OURS and isinstance(node, ast.expr) else Ownership.OTHER
        case ast.Subscript(value=of, slice=ast.Constant(value=text)) if text == method:
            return _judge_attribute_mapping(judge, source, of)
        case ast.Call(func=ast.Attribute(value=of, attr="get" | "pop"), args=[ast.Constant(value=text), *_]):
            return _judge_attribute_mapping(judge, source, of) if text == method else Ownership.OTHER
        case ast.Call(args=[word, *_]) if is_getter_factory(node):
            by_name = method in str(word.value).split(".") if isinstance(word, ast.Constant) else has_text
            return Ownership.UNKNOWN if by_name else Ownership.OTHER
        case ast.Call(func=func, keywords=given) if last_name(func) in _PATCHING and any(
            k.arg == method for k in given
        ):
            return Ownership.UNKNOWN
    return Ownership.OTHER


def _judge_attribute_mapping(judge: ReceiverJudge, source: Source, mapping: ast.expr) -> Ownership:
    """Whose attributes a mapping holds: `vars(cleaner)`, `Cleaner.__dict__`; OTHER where it is another mapping."""
    match mapping:
        case ast.Call(func=ast.Name(id="vars"), args=[of]) | ast.Attribute(value=of, attr="__dict__"):
            return judge.judge_receiver(source, of)
    return Ownership.OTHER


def is_getter_factory(node: ast.AST) -> bool:
    """Whether it makes a function that calls or gets by name."""
    return isinstance(node, ast.Call) and last_name(node.func) in ("methodcaller", "attrgetter")


_NAME_LOOKUPS = re.compile(rb"\.__(?:qual)?name__|\bgetmembers\(|\bdir\(")
_PATCHING = frozenset(
    {"SimpleNamespace", "multiple", "configure_mock", "Mock", "MagicMock", "AsyncMock", "create_autospec"}
)
_BY_NAME = frozenset({"getattr", "hasattr", "setattr", "delattr", "getattr_static"})
_CALLS = re.compile(rb"\.(?:" + b"|".join(sorted(w.encode() for w in BY_NAME)) + rb")\b")


def _compile_word_pattern(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")


def _resolve_text(work: Worktree, source: Source, expr: ast.expr) -> str | None:
    """The text of an argument: written out, a constant of the file, or a local that is set once."""
    if isinstance(expr, ast.Name):
        for place in iter_ancestors(source, expr):
            if isinstance(place, FUNCTIONS) and expr.id in collect_bound_names(place.body):
                stores = [n for n in find_uses(place, expr.id).names if isinstance(n.ctx, ast.Store)]
                up = map_parents(source).get(id(stores[0])) if len(stores) == 1 else None
                value = up.value if isinstance(up, ast.Assign | ast.AnnAssign) else None
                return literal_text(value)
    owner = next((n for n in iter_ancestors(source, expr) if isinstance(n, ast.ClassDef)), None)
    return resolve_text(work, source, expr, owner)


def iter_sources(work: Worktree) -> Iterator[Source]:
    """The project's files that can be read."""
    for path in work.paths:
        try:
            source = work.read_source(path)
            _ = source.tree
        except Refusal:
            continue  # a file that does not parse calls nothing
        yield source


@dataclass(frozen=True)
class PublishSite:
    """One `self.publish(topic, payload)` in a node's class."""

    source: Source
    function: Function
    call: ast.Call
    payload: ast.expr | None


def find_own_publishes(work: Worktree, node: str, topic: str) -> tuple[list[PublishSite], list[str]]:
    """A node's own publishings to a topic, and the places where the topic cannot be told."""
    source, cls = work.find_node_class(node)
    sites, unknown = [], []
    for owner_source, owner in work.iter_family(source, cls):
        for function in list_methods(owner):
            called_ids = {id(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)}
            for call in ast.walk(function):
                if isinstance(call, ast.Attribute) and id(call) not in called_ids and _is_publish(call):
                    unknown.append(f"{owner_source.path}:{call.lineno}")  # `send = self.publish`
                if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _is_publish(call.func)):
                    continue
                topic_argument = find_argument(call, "topic", 0)
                text = (
                    _resolve_text(work, owner_source, topic_argument)
                    if isinstance(topic_argument, ast.Name)
                    else resolve_text(work, owner_source, topic_argument, owner)
                )
                if text is None:
                    unknown.append(f"{owner_source.path}:{call.lineno}")
                elif text == topic:
                    fstrings.repair_positions(owner_source, function)
                    sites.append(PublishSite(owner_source, function, call, find_argument(call, "payload", 1)))
    return sites, unknown


def _is_publish(func: ast.Attribute) -> bool:
    """`self.publish`, `self.apublish`, `self.bus.publish`."""
    value = func.value
    if isinstance(value, ast.Attribute) and value.attr == "bus":
        value = value.value
    return func.attr in PUBLISHING and isinstance(value, ast.Name) and value.id == "self"


def find_other_publishes(work: Worktree, node: str, topic: str) -> list[tuple[Source, ast.Call]]:
    """Publishings to a topic outside of a node's class: another node's, a script's."""
    source, cls = work.find_node_class(node)
    own = {id(n) for _, owner in work.iter_family(source, cls) for n in ast.walk(owner)}
    matches = []
    for other_source in iter_sources(work):
        if b"publish" not in other_source.data:
            continue
        for call in ast.walk(other_source.tree):
            if isinstance(call, ast.Call) and id(call) not in own and last_name(call.func) in PUBLISHING:
                topic_argument = find_argument(call, "topic", 0)
                if (
                    isinstance(call.func, ast.Attribute)
                    and topic_argument is not None
                    and _resolve_text(work, other_source, topic_argument) == topic
                ):
                    matches.append((other_source, call))
    return matches


def find_topic_handlers(work: Worktree, topic: str) -> list[tuple[Source, ast.ClassDef, Function, str]]:
    """The methods that a topic's events are handed to, with the node's name."""
    matches = []
    for agent in work.agents.values():
        for subscription in agent.subscriptions:
            if compile_topic_pattern(subscription.topic.name).fullmatch(topic):
                matches.append((*work.find_method(agent.name, subscription.handler_name), agent.name))
    return matches


# What callers give to a method, and what they do with its result. Knows nothing of operations.
#
# A call gives a field by keyword, in a mapping that it spreads (`**given`), or in a payload beside the node's name.


LOGGER_METHODS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})  # a logger's words
_NO_ARGS = ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])


def trace_given_field(work: Worktree, site: CallSite, name: str) -> KeyTrace:
    """What a call gives for the field `name`, arguments by position left out."""
    trace = KeyTrace()
    for keyword in site.call.keywords:
        if keyword.arg == name:
            trace.keywords.append(keyword)
        elif keyword.arg is None or (site.named and keyword.arg == "payload"):
            _trace_mapping(work, site, keyword.value, name, trace)
    if site.named:
        is_call_by_name = isinstance(site.call.func, ast.Attribute) and site.call.func.attr in BY_NAME
        for value in site.call.args[site.shift :]:
            if is_call_by_name or isinstance(value, ast.Dict):
                _trace_mapping(work, site, value, name, trace)
    return trace


def _trace_mapping(work: Worktree, site: CallSite, value: ast.expr, name: str, collected: KeyTrace) -> None:
    tracer, trace = KeyTracer(find_enclosing_function(site.source, site.call)), KeyTrace()
    tracer.make(value, [name], trace)
    if isinstance(value, ast.NamedExpr):  # read again by its name
        trace.unknown.append(value)
    tracer.finish(trace)
    collected.keys += trace.keys
    collected.keywords += trace.keywords
    collected.unknown += [n for n in trace.unknown if not _is_node_result(work, n)]
    if trace.has_key:
        collected.escapes += trace.escapes


def _is_node_result(work: Worktree, node: ast.AST) -> bool:
    """Whether a mapping is what another node gave back: the link between the two proves what is in it."""
    node = node.value if isinstance(node, ast.Await) else node
    return isinstance(node, ast.Call) and _find_called_node(work, node) is not None


def _find_called_node(work: Worktree, call: ast.Call) -> str | None:
    """The node that a call names in text."""
    for text in (a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)):
        if text in work.agents or text.rpartition(".")[0] in work.agents:
            return text if text in work.agents else text.rpartition(".")[0]
    return None


def count_positional_arguments(site: CallSite) -> int | None:
    """How many arguments a call gives by position; None where a `*list` hides it."""
    args = site.call.args[site.shift :]
    return None if any(isinstance(a, ast.Starred) for a in args) else 0 if site.named else len(args)


def may_use_field(work: Worktree, reference: Reference, name: str, own: Collection[int] = ()) -> bool:
    """Whether code may give or read the field of a method that is handed on: all of it where it is certainly ours.

    `own` are the nodes of the method itself: what is there is followed. A caller of its name may go anywhere as well.
    """
    if reference.certain or is_getter_factory(reference.node):
        roots: list[tuple[Source, ast.AST]] = [(s, s.tree) for s in iter_sources(work) if name.encode() in s.data]
    else:
        roots = [(reference.source, find_enclosing_function(reference.source, reference.node))]
    for source, root in roots:
        for node in ast.walk(root):
            if id(node) not in own and _is_field_name(node, name) and not _is_in_decorator(source, node):
                return True
    parent = map_parents(reference.source).get(id(reference.node))
    return isinstance(parent, ast.Call) and any(k.arg is None for k in parent.keywords)


def is_patched(reference: Reference) -> bool:
    """Whether a text that names the method is given to something that puts another in its place."""
    parent = map_parents(reference.source).get(id(reference.node))
    return isinstance(parent, ast.Call) and last_name(parent.func) in ("patch", "setattr")


def _is_field_name(node: ast.AST, name: str) -> bool:
    """Whether a node names a field as data: `qty=1`, `{"qty": 1}`, `done.result()["qty"]`, `"qty" in parameters`."""
    match node:
        case ast.keyword(arg=said) | ast.Constant(value=said) | ast.arg(arg=said):
            return said == name
    return False


def _is_in_decorator(source: Source, node: ast.AST) -> bool:
    up = map_parents(source)
    return any(
        isinstance(up.get(id(p)), (*FUNCTIONS, ast.ClassDef)) and p in up[id(p)].decorator_list  # type: ignore[attr-defined]
        for p in [node, *iter_ancestors(source, node)]
    )


def trace_result(site: CallSite, path: list[str]) -> KeyTrace:
    """What the code does with the field of a call's result."""
    holder, trace = KeyTracer(find_enclosing_function(site.source, site.call)), KeyTrace()
    call: ast.AST = site.call
    parent = holder.parents.get(id(call))
    if isinstance(parent, ast.Await):
        call, parent = parent, holder.parents.get(id(parent))
    holder.holds.use(call, parent, path, trace)
    return trace


def find_result_escapes(work: Worktree, site: CallSite, node: str, trace: KeyTrace) -> list[ast.AST]:
    """Where the whole result goes on to code that is not followed. Output for people and linked nodes do not count."""
    return [n for n in trace.escapes if not _is_harmless_escape(work, site.source, n, node)]


def _is_harmless_escape(work: Worktree, source: Source, node: ast.AST, producer: str) -> bool:
    parent = map_parents(source).get(id(node))
    if isinstance(parent, ast.keyword) and parent.arg in (None, "payload"):
        parent = map_parents(source).get(id(parent))
    match parent:
        case ast.FormattedValue() | ast.Assert():
            return True
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in LOGGER_METHODS:
            return True
        case ast.Call():
            consumer = _find_called_node(work, parent)
            agent = work.agents.get(consumer) if consumer else None
            if agent is None:
                return False
            needs = [*agent.depends_on, *(d for m in agent.methods for d in m.depends_on)]
            return any(need == producer or need.startswith(f"{producer}.") for need in needs)
    return False


def find_enclosing_function(source: Source, node: ast.AST) -> Function:
    """The innermost function that holds a node; for code outside of functions, one made of the file's statements."""
    for place in iter_ancestors(source, node):
        if isinstance(place, FUNCTIONS):
            return place
    return ast.FunctionDef(name="", args=_NO_ARGS, body=source.tree.body, decorator_list=[])


# Code that stands in text: what `exec` is given, a program for `python -c`, the examples that doctest runs.
#
# It is found where text parses as Python and calls a method of the name. It is never edited: whoever runs the text may
# have made it of parts, so a change that it would have to follow is refused with its line.


_EXECUTES = re.compile(rb"\b(?:eval|exec|compile)\b")
LONGEST = 20_000  # characters of one text that is parsed: longer ones are data


def find_embedded_calls(work: Worktree, method: str, field: str | None = None) -> list[str]:
    """`file:line` of each text that is code, calls `method` and, where a field is given, names that too."""
    pattern = re.compile(rf"\b{re.escape(method)}\b")
    words = [pattern, re.compile(rf"\b{re.escape(field or method)}\b")]
    format_pattern = re.compile(rf"\{{[\w.\[\]]*\.{re.escape(method)}\b")  # "{0.clean}".format(cleaner)
    places = []
    for source in iter_sources(work):
        if not pattern.search(source.data.decode("utf-8", "replace")):
            continue
        is_made = _EXECUTES.search(source.data) and any(_is_computed_exec(node) for node in ast.walk(source.tree))
        for node in ast.walk(source.tree):
            text = _extract_text(node)
            if is_made and any(word.search(text) for word in words):  # maybe a part of the program
                places.append(f"{source.path}:{node.lineno}")  # type: ignore[attr-defined]
                continue
            if not pattern.search(text):
                continue
            if (field is None and format_pattern.search(text)) or any(
                _has_call_of(tree, method, field) for tree in _parse_programs(text)
            ):
                places.append(f"{source.path}:{node.lineno}")  # type: ignore[attr-defined]
    return places


def _is_computed_exec(node: ast.AST) -> bool:
    """Whether it runs text that is put together elsewhere: `exec(f"…")`, `eval(path.read_text())`."""
    match node:
        case ast.Call(func=ast.Name(id="eval" | "exec" | "compile"), args=[program, *_]):
            return not isinstance(program, ast.Constant)
    return False


def _extract_text(node: ast.AST) -> str:
    """A text as written; of an f-string what it says around its values, which count as one name."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(p.value) if isinstance(p, ast.Constant) else "_" for p in parts)
    return ""


def _parse_programs(text: str) -> Iterator[ast.Module]:
    if len(text) > LONGEST or "(" not in text:
        return
    if ">>>" in text:
        try:
            programs = [example.source for example in doctest.DocTestParser().get_examples(text)]
        except ValueError:  # prompts that are not examples: nobody can run them
            return
    else:
        programs = [textwrap.dedent(text)]
    for program in programs:
        try:
            yield ast.parse(program)
        except (SyntaxError, ValueError, RecursionError):
            continue


def _has_call_of(tree: ast.Module, method: str, field: str | None) -> bool:
    nodes = list(ast.walk(tree))
    if not any(isinstance(n, ast.Call) and method in (last_name(n.func), *_extract_called_names(n)) for n in nodes):
        return False
    return field is None or any(
        (isinstance(n, ast.keyword) and n.arg == field)
        or (isinstance(n, ast.Constant) and n.value == field)
        or (isinstance(n, ast.Attribute) and n.attr == field)
        for n in nodes
    )


def _extract_called_names(call: ast.Call) -> Iterator[str]:
    """`bus.call("Cleaner", "clean")`, `getattr(cleaner, "clean")`."""
    for value in call.args:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value.rpartition(".")[2]
