"""Celery: who sends a task, and which task takes what another gives in a chain."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphbus_core.inference.frameworks.interface import Edge, ProjectSource, Unread
from graphbus_core.syntax import called_name

SENDS = {"delay", "apply_async", "s", "si", "signature", "subtask"}
SURE = {"delay", "apply_async"}  # words that nothing but a task has
Found = tuple[str, str]


class CeleryReader:
    """Reads functions under `@app.task` and `@shared_task`, and who calls them by `.delay(…)` and its like."""

    packages = ("celery",)

    def read(self, source: ProjectSource) -> Iterator[Edge | Unread]:
        """An edge for each place that sends a task."""
        tasks = dict(_find_tasks(source))
        by_name = {name: found for found, name in tasks.items()}
        for path in source.paths:
            if not source.mentions(path, *SENDS, "send_task", "chain"):
                continue
            for node in ast.walk(source.parse(path) or ast.Module([], [])):
                match node:
                    case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in SENDS:
                        found = source.resolve(path, value)
                        if found in tasks and found is not None:
                            yield _build_edge(source, path, node, found)
                        elif attr in SURE and not _is_signature(value):
                            yield Unread("a task that is found at run time", f"{path}:{node.lineno}")
                    case ast.Call(func=ast.Attribute(attr="send_task") | ast.Name(id="signature"), args=[name, *_]):
                        sent = by_name.get(str(name.value)) if isinstance(name, ast.Constant) else None
                        if sent is not None:
                            yield _build_edge(source, path, node, sent)
                        else:
                            yield Unread("a task that is sent by name", f"{path}:{node.lineno}")
                    case ast.Call(func=ast.Name(id="chain"), args=steps):
                        yield from _chain(source, path, steps, tasks)
                    case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                        first = left.right if isinstance(left, ast.BinOp) else left
                        yield from _chain(source, path, [first, right], tasks)


def _find_tasks(source: ProjectSource) -> Iterator[tuple[Found, str]]:
    for path in source.paths:
        if not source.mentions(path, "task"):
            continue
        for name, function in source.list_functions(path):
            for decorator in function.decorator_list:
                if called_name(decorator).rpartition(".")[2] in ("task", "shared_task", "periodic_task"):
                    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
                    given = next((k.value for k in keywords if k.arg == "name"), None)
                    module = path.removesuffix(".py").replace("/", ".")
                    named = given.value if isinstance(given, ast.Constant) else f"{module}.{name}"
                    yield (path, name), str(named)


def _is_signature(value: ast.expr) -> bool:
    """Whether it is `task.s(…)` or a chain, whose tasks are met on their own."""
    return isinstance(value, ast.Call | ast.BinOp)


def _build_edge(source: ProjectSource, path: str, call: ast.Call, task: Found) -> Edge:
    function = source.find_function(task)
    parameters = [a.arg for a in function.args.args if a.arg != "self"] if function is not None else []
    carries = ", ".join(_list_carried(call, parameters))
    places = (f"{path}:{call.lineno}", f"{task[0]}:{function.lineno if function is not None else 1}")
    return Edge("task", source.name(path, source.find_around(path, call)), source.name(*task), carries, places)


def _list_carried(call: ast.Call, parameters: list[str]) -> list[str]:
    """The parameters that a call fills: `delay` and `s` take them as they are, the others in `args` and `kwargs`."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if getattr(call.func, "attr", "") in ("delay", "s", "si"):
        return [*parameters[: len(call.args)], *keywords]
    args, kwargs = keywords.get("args"), keywords.get("kwargs")
    number = len(args.elts) if isinstance(args, ast.List | ast.Tuple) else 0
    keys = [k.value for k in kwargs.keys if isinstance(k, ast.Constant)] if isinstance(kwargs, ast.Dict) else []
    return [*parameters[:number], *map(str, keys)]


def _chain(source: ProjectSource, path: str, steps: list[ast.expr], tasks: dict[Found, str]) -> Iterator[Edge]:
    """What a task gives is the first argument of the next, unless that is immutable (`si`)."""
    found_steps = [
        (source.resolve(path, step.func.value), step.func.attr)
        if isinstance(step, ast.Call) and isinstance(step.func, ast.Attribute)
        else (None, "")
        for step in steps
    ]
    for (first, _), (second, how), step in zip(found_steps, found_steps[1:], steps[1:], strict=False):
        if first in tasks and second in tasks and first is not None and second is not None and how != "si":
            yield Edge("chain", source.name(*first), source.name(*second), "result", (f"{path}:{step.lineno}",))
