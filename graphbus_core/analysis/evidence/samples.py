"""Where the two ends of a gap stand, and a value of each as the code or a test writes it: what a question shows."""

from __future__ import annotations

from collections.abc import Iterator

from graphbus_core.analysis.callers import bind_arguments
from graphbus_core.analysis.evidence.rule import Ground
from graphbus_core.analysis.project import ProjectAnalysis
from graphbus_core.analysis.values import CollectionValue, Const, Function, Record, Values
from graphbus_core.model.graph import Endpoint

LONGEST = 40  # characters of a value in a question
MAX_CALLS = 20  # that are looked at for one


def find_producer_place(project: ProjectAnalysis, end: Endpoint, paths: list[str]) -> Iterator[tuple[str, Ground]]:
    """Where the producer's method stands, with what it gives for each path that its text tells."""
    function, file = _find_function(project, end)
    if function is None:
        return
    for path in paths:
        sample = _find_const(function.returns, _split_keys(path))
        says = f"{end.node}.{end.method}" + (f" gives {path} = {sample}" if sample else "")
        yield path, Ground("producer", says, f"{file}:{function.line}")


def find_consumer_place(project: ProjectAnalysis, end: Endpoint, path: str) -> Iterator[Ground]:
    """Where the consumer's method stands, with a value that some call of it writes."""
    function, file = _find_function(project, end)
    if function is None:
        return
    first, *rest = _split_keys(path)
    sample = ""
    for count, (site, target) in enumerate(project.callers.find_calls(file, function.name)):
        given = bind_arguments(function, site.call, target.shift).get(first, ())
        if count >= MAX_CALLS or (text := _find_const(given, rest)):
            sample = f", called with {path} = {text} in {site.place}" if count < MAX_CALLS else ""
            break
    yield Ground("consumer", f"{end.node}.{end.method}{sample}", f"{file}:{function.line}")


def _find_function(project: ProjectAnalysis, end: Endpoint) -> tuple[Function | None, str]:
    code = project.find_code(end.node, end.method) if end.method else None
    return (project.texts[code.path].functions.get(code.name), code.path) if code is not None else (None, "")


def _split_keys(path: str) -> list[str]:
    return path.replace("[]", ".[]").split(".")


def _find_const(values: Values, keys: list[str]) -> str:
    """The literal that lies under these keys, as text; empty where there is none."""
    for value in values:
        match value:
            case Const(value=constant) if not keys:
                text = repr(constant)
                return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
            case Record(fields=fields) if keys and keys[0] in fields:
                if text := _find_const(fields[keys[0]], keys[1:]):
                    return text
            case CollectionValue(elements=elements) if (
                keys and keys[0] == "[]" and (text := _find_const(elements, keys[1:]))
            ):
                return text
    return ""
