"""Who calls a method or publishes to a topic, in the project's own files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.build.commit import fstrings
from graphbus_core.build.commit.outcome import Refusal
from graphbus_core.build.commit.records import argument, text_of
from graphbus_core.build.commit.scope import Function
from graphbus_core.build.commit.source import Source
from graphbus_core.build.commit.workspace import Workspace, classes, functions


@dataclass(frozen=True)
class CallSite:
    """A call of a method. `certain`: it can mean no other class's method of that name."""

    source: Source
    call: ast.Call
    certain: bool
    named: bool  # called by its names in text: `bus.call("Cleaner", "clean", …)`

    @property
    def place(self) -> str:
        """`agents/cleaner.py:12`."""
        return f"{self.source.path}:{self.call.lineno}"


def of_method(work: Workspace, node: str, method: str) -> list[CallSite]:
    """Every call that is, or may be, one of `node.method`."""
    pattern = re.compile(rb"\b" + re.escape(method.encode()) + rb"\b")
    home, cls = work.node(node)
    owners, found = 0, []
    for source in _sources(work):
        if not pattern.search(source.data):
            continue
        inside: dict[int, ast.ClassDef] = {}
        for owner in classes(source.tree):
            owners += any(f.name == method for f in functions(owner))
            inside.update((id(n), owner) for n in ast.walk(owner) if isinstance(n, ast.Call))
        for call in ast.walk(source.tree):
            if not isinstance(call, ast.Call):
                continue
            if isinstance(call.func, ast.Attribute) and call.func.attr == method:
                own = isinstance(call.func.value, ast.Name) and call.func.value.id in ("self", "cls")
                mine = own and inside.get(id(call)) is cls and source is home
                if not own or mine or inside.get(id(call)) is None:
                    found.append(CallSite(source, call, mine, False))
            else:
                texts = [a.value for a in call.args if isinstance(a, ast.Constant)]
                if (node in texts and method in texts) or (
                    f"{node}.{method}" in texts and (call.keywords or len(call.args) > 1)
                ):
                    found.append(CallSite(source, call, True, True))
    return [CallSite(s.source, s.call, s.certain or owners <= 1, s.named) for s in found]


def _sources(work: Workspace) -> Iterator[Source]:
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


def of_topic(work: Workspace, node: str, topic: str) -> tuple[list[Publishing], list[str]]:
    """A node's own publishings to a topic, and the places where the topic cannot be told."""
    source, cls = work.node(node)
    found, unknown = [], []
    for at, owner in work.family(source, cls):
        for function in functions(owner):
            for call in ast.walk(function):
                if not (
                    isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Attribute)
                    and call.func.attr == "publish"
                    and isinstance(call.func.value, ast.Name)
                    and call.func.value.id == "self"
                ):
                    continue
                said = argument(call, "topic", 0)
                text = text_of(work, at, said, owner)
                if text is None:
                    unknown.append(f"{at.path}:{call.lineno}")
                elif text == topic:
                    fstrings.mend(at, function)
                    found.append(Publishing(at, function, call, argument(call, "payload", 1)))
    return found, unknown


def handlers(work: Workspace, topic: str) -> list[tuple[Source, ast.ClassDef, Function, str]]:
    """The methods that a topic's events are handed to, with the node's name."""
    found = []
    for agent in work.agents.values():
        for subscription in agent.subscriptions:
            if matches(subscription.topic.name, topic):
                found.append((*work.method(agent.name, subscription.handler_name), agent.name))
    return found


def matches(pattern: str, topic: str) -> bool:
    """Whether a subscription's pattern takes a topic: `*` one segment, `**` any number."""
    if "*" not in pattern:
        return pattern == topic
    text = re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.fullmatch(text, topic) is not None
