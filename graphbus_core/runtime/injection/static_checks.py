"""What a build can already say of a run: a constructor argument that nobody provides, a move that a rule refuses.

Sources are read and never run. So it finds what is written out (`self.call("Stock", "wipe")`,
`self.nodes.Stock.wipe(…)`), and the run finds the rest.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.injection.providers import RUNTIME_ARGUMENTS, ConstructorArgument, Providers

_GENERATED = {"Iterator", "Iterable", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator"}


@dataclass(frozen=True)
class ForeseenRefusal:
    """Something that the run would refuse, and where it is written."""

    node: str
    where: str  # file:line
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


def find_refusals(agents: Iterable[AgentDefinition], policy: Policy) -> Iterator[ForeseenRefusal]:
    """Calls, publications and subscriptions that no rule allows, each once."""
    for agent in agents if policy.rules else ():
        class_location = f"{agent.source_file}:{agent.metadata.get('lineno', 1)}"
        moves = [("hear", subscription.topic.name, class_location) for subscription in agent.subscriptions]
        moves += [
            ("publish", p.topic.name, f"{agent.source_file}:{p.lineno}" if p.lineno else class_location)
            for p in agent.publications
            if "*" not in p.topic.name
        ]
        moves += [("call", what, f"{agent.source_file}:{line}") for what, line in find_calls(agent)]
        reported: set[tuple[str, str]] = set()
        for verb, what, where in moves:
            if (verb, what) not in reported and (why := policy.explain_refusal(agent.name, verb, what)) is not None:
                reported.add((verb, what))
                yield ForeseenRefusal(agent.name, where, why)


def find_calls(agent: AgentDefinition) -> Iterator[tuple[str, int]]:
    """Direct calls that are written out: `Node.method`, and the line."""
    kind, above = _parse_class(agent)
    for node_call in ast.walk(kind) if kind is not None else ():
        match node_call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(), attr="call" | "acall"),
                args=[ast.Constant(value=str(node)), ast.Constant(value=str(method)), *_],
            ):
                yield f"{node}.{method}", above + node_call.lineno
            case ast.Call(
                func=ast.Attribute(
                    attr=method,
                    value=ast.Attribute(
                        attr=node, value=ast.Attribute(attr="nodes" | "anodes", value=ast.Name(id="self"))
                    ),
                )
            ):
                yield f"{node}.{method}", above + node_call.lineno


def find_unprovided(agents: Iterable[AgentDefinition], provide: Sequence[str], root: Path) -> Iterator[ForeseenRefusal]:
    """Constructor arguments that none of these providers (`module:factory`, `name=module:factory`) gives.

    A factory that is written where it cannot be read (in an installed package) may give anything: then nothing is said.
    """
    providers = Providers({name: text for text in provide if (name := text.rpartition("=")[0])})
    for text in provide:
        if "=" not in text:
            if (gives := _read_return_type(text, root)) is None:
                return
            providers.add_type(gives, text)
    for agent in agents:
        arguments = list(_find_wanted(agent))
        if why := providers.explain_missing({agent.name: arguments}).get(agent.name):
            yield ForeseenRefusal(agent.name, arguments[0].where, why)


def _find_wanted(agent: AgentDefinition) -> Iterator[ConstructorArgument]:
    kind, above = _parse_class(agent)
    body = kind.body if kind is not None else []
    init = next(
        (parameter for parameter in body if isinstance(parameter, ast.FunctionDef) and parameter.name == "__init__"),
        None,
    )
    if init is None:
        if kind is not None:
            yield from _find_dataclass_fields(kind, f"{agent.source_file}:{above + kind.lineno}")
        return
    where = f"{agent.source_file}:{above + init.lineno}"
    positional = [*init.args.posonlyargs, *init.args.args][1:]
    without_default = len(positional) - len(init.args.defaults)
    for i, parameter in enumerate(positional):
        if parameter.arg not in RUNTIME_ARGUMENTS:
            yield ConstructorArgument(parameter.arg, _strip_module(parameter.annotation), i < without_default, where)
    for parameter, default in zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True):
        if parameter.arg not in RUNTIME_ARGUMENTS:
            yield ConstructorArgument(parameter.arg, _strip_module(parameter.annotation), default is None, where)


def _find_dataclass_fields(kind: ast.ClassDef, where: str) -> Iterator[ConstructorArgument]:
    """What the `__init__` that `@dataclass` writes wants: the fields without a default."""
    marks = [d.func if isinstance(d, ast.Call) else d for d in kind.decorator_list]
    if not any(_strip_module(mark) in ("dataclass", "define", "frozen") for mark in marks):
        return
    for statement in kind.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=hint, value=None) if name not in RUNTIME_ARGUMENTS:
                if _strip_module(hint.value if isinstance(hint, ast.Subscript) else hint) != "ClassVar":
                    yield ConstructorArgument(name, _strip_module(hint), True, where)


def _strip_module(annotation: ast.expr | None) -> str:
    """The last word of a type: what stands before it may be an alias, which only an import could tell."""
    text = _render_type(annotation)
    return text if "[" in text else text.rpartition(".")[2]


def _render_type(annotation: ast.expr | None) -> str:
    """An annotation as text, without `| None`."""
    if annotation is None:
        return ""
    if isinstance(annotation, ast.BinOp):
        return _render_type(annotation.left)
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).rpartition(".")[2] == "Optional":
        return _render_type(annotation.slice)
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.split("|")[0].strip()
    return ast.unparse(annotation)


def _read_return_type(target: str, root: Path) -> str | None:
    """The type that a factory says it makes, read in its source below `root`; None where that cannot be told."""
    module, _, attribute = target.partition(":")
    stem = root.joinpath(*module.split("."))
    path = next((p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file()), None)
    if path is None:
        return None
    try:
        body = ast.parse(path.read_text("utf-8")).body
    except (OSError, SyntaxError, ValueError):
        return None
    for statement in body:
        if isinstance(statement, ast.ClassDef) and statement.name == attribute:
            return f"{module}.{attribute}"
        if (
            isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
            and statement.name == attribute
            and statement.returns is not None
        ):
            return_type = statement.returns
            if (
                isinstance(return_type, ast.Subscript)
                and ast.unparse(return_type.value).rpartition(".")[2] in _GENERATED
            ):
                return_type = (
                    return_type.slice.elts[0] if isinstance(return_type.slice, ast.Tuple) else return_type.slice
                )
            return _render_type(return_type)
    return None


def _parse_class(agent: AgentDefinition) -> tuple[ast.ClassDef | None, int]:
    """The class, and how many lines of its file stand above its text."""
    try:
        body = ast.parse(textwrap.dedent(agent.source_code)).body
    except (SyntaxError, ValueError):  # such a class is an error of the scan, and not ours
        return None, 0
    kind = next((statement for statement in body if isinstance(statement, ast.ClassDef)), None)
    # Its line is that of the word `class`; its text begins with its decorators.
    return kind, int(agent.metadata.get("lineno", 1)) - (kind.lineno if kind is not None else 1)
