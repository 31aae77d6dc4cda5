"""blinker: who sends a signal, and who hears it. A signal is known by its variable, wherever it is imported."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from graphbus_core.inference.frameworks.interface import Edge, ProjectSource, Unread

Found = tuple[str, str]
Place = tuple[str, str, str]  # who, what it carries, file:line


class BlinkerReader:
    """Reads `signal.send(…)` and `signal.connect`."""

    packages = ("blinker",)

    def read(self, source: ProjectSource) -> Iterator[Edge | Unread]:
        """An edge from each sender to each receiver of a signal."""
        senders: dict[str, list[Place]] = defaultdict(list)
        receivers: dict[str, list[Place]] = defaultdict(list)
        for path in source.paths:
            for signal, name, line in _find_decorated(source, path):
                receivers[signal].append((source.name(path, name), "", f"{path}:{line}"))
            for node in ast.walk(source.parse(path) or ast.Module([], [])):
                match node:
                    case ast.Call(func=ast.Attribute(value=value, attr="send" | "send_async"), keywords=keywords):
                        if signal := _find_signal(source, path, value):
                            carried = ", ".join(keyword.arg for keyword in keywords if keyword.arg)
                            around = source.name(path, source.find_around(path, node))
                            senders[signal].append((around, carried, f"{path}:{node.lineno}"))
                    case ast.Call(func=ast.Attribute(value=value, attr="connect"), args=[receiver, *_]):
                        signal = _find_signal(source, path, value)
                        found = source.resolve(path, receiver) if signal else None
                        if found is not None and source.find_function(found) is not None:
                            receivers[signal].append((source.name(*found), "", f"{path}:{node.lineno}"))
                        elif signal:
                            yield Unread("a receiver that is made elsewhere", f"{path}:{node.lineno}")
        yield from _pair(senders, receivers)


def _pair(senders: dict[str, list[Place]], receivers: dict[str, list[Place]]) -> Iterator[Edge | Unread]:
    for signal, sent in senders.items():
        for producer, carried, place in sent:
            for consumer, _, other in receivers.get(signal, ()):
                yield Edge("signal", producer, consumer, carried, (place, other))
            if signal not in receivers:
                yield Unread("a signal that others hear", place)


def _find_decorated(source: ProjectSource, path: str) -> Iterator[tuple[str, str, int]]:
    """The functions under `@signal.connect`: the signal, the function's name and its line."""
    for name, function in source.list_functions(path):
        for decorator in function.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(target, ast.Attribute) and target.attr in ("connect", "connect_via"):
                signal = _find_signal(source, path, target.value)
                if signal:
                    yield signal, name, function.lineno


def _find_signal(source: ProjectSource, path: str, expression: ast.expr) -> str:
    """What names the signal: the text that it was made with; empty for anything else."""
    value = expression if isinstance(expression, ast.Call) else source.find_value(source.resolve(path, expression))
    match value:
        case ast.Call(
            func=ast.Name(id="signal") | ast.Attribute(attr="signal"), args=[ast.Constant(value=str() as name), *_]
        ):
            return name
        case ast.Call(func=ast.Name(id="Signal") | ast.Attribute(attr="Signal")):
            found = source.resolve(path, expression)
            return ":".join(found) if found is not None else ""
    return ""
