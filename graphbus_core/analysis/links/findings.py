"""What linking and lint found, as findings with a code, a file of the project and a line."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.analysis.files import build_unreadable_finding, find_root
from graphbus_core.analysis.links import LinkResult
from graphbus_core.analysis.scan import Project
from graphbus_core.analysis.scan.extractor import PLAIN_DECORATORS
from graphbus_core.analysis.scan.namespaces import resolve_import
from graphbus_core.analysis.scan.project import UnreadableFile
from graphbus_core.contracts import Contract, check
from graphbus_core.contracts.linting import Disagreement as Disagreement, lint as contract_lint
from graphbus_core.contracts.parsing.type_forms import annotation
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Mismatch, find_cycles
from graphbus_core.model.handler_form import Form, HandlerParameter, choose_form
from graphbus_core.model.schema import OPEN_PARTS, SchemaMethod
from graphbus_core.model.topic import explain_invalid_subscription
from graphbus_core.syntax import called_name

# Imports that go round in a circle and break: read from the text, statement by statement, as `import` would run it.
#
# A circle alone breaks nothing. It breaks where a name is wanted from a module that has not come to it yet, from
# whichever module of the circle one begins; only that is told. What stands under a condition or in a `try` is believed.


# Each beginning is a run over the circle, so the work grows with its square.
MOST = 60  # modules of one circle that are begun with; of a larger one nothing is said


@dataclass(frozen=True)
class BrokenImport:
    """An import that fails: where it stands, and what it wants of whom. `circle`: the modules that go round."""

    path: str
    line: int
    wanted: str
    module: str
    circle: tuple[str, ...]

    def __str__(self) -> str:
        way = " -> ".join((*self.circle, self.circle[0]))
        return f"imports go round ({way}): {self.module} has no '{self.wanted}' yet"


def find_broken_imports(project: Project) -> Iterator[BrokenImport]:
    """One for each circle that breaks, wherever one begins."""
    paths = {r.name: path for path, r in project.cache.readings.items() if path in project.files}
    imports = {
        r.name: [m for imported in r.imports for m in _list_ancestors(imported) if m in paths and m != r.name]
        for path, r in project.cache.readings.items()
        if path in project.files
    }
    trees: dict[str, ast.Module] = {}
    for circle in find_cycles(imports):
        if len(circle) > MOST:
            continue
        failures = []
        # From each in turn: a circle that works from one beginning may break from another, and the first import
        # decides in life.
        for name in sorted(circle):
            run = _ImportRun(project, paths, trees)
            try:
                run.load(name)
            except _ImportFailure as e:
                failures.append(e)
                continue
            # It works from this beginning, so a program can start. That is not a fault yet.
            break
        else:
            first = failures[0]
            yield BrokenImport(first.path, first.line, first.wanted, first.module, tuple(first.way))


class _ImportFailure(Exception):
    def __init__(self, path: str, line: int, missing_name: str, module: str, way: list[str]) -> None:
        super().__init__(missing_name)
        self.path, self.line, self.wanted, self.module, self.way = path, line, missing_name, module, way


class _ImportRun:
    """One start of the interpreter."""

    def __init__(self, project: Project, paths: Mapping[str, str], trees: dict[str, ast.Module]) -> None:
        self.project, self.paths, self.trees = project, paths, trees
        self.bound: dict[str, set[str]] = {}
        self.loading: list[str] = []

    def load(self, name: str) -> None:
        # Packages first: importing `a.b` runs the `__init__` of `a`, where the circle is usually closed.
        for module_name in _list_ancestors(name):
            if module_name in self.paths and module_name not in self.bound:
                self.bound[module_name] = set()
                self.loading.append(module_name)
                self._run_body(module_name, self._parse_module(module_name).body, sure=True)
                self.loading.remove(module_name)

    def _parse_module(self, name: str) -> ast.Module:
        if name not in self.trees:
            try:
                self.trees[name] = ast.parse((self.project.root / self.paths[name]).read_bytes())
            except (OSError, SyntaxError, ValueError):
                # A file that does not parse is told elsewhere; here it binds nothing.
                self.trees[name] = ast.Module([], [])
        return self.trees[name]

    def _run_body(self, name: str, body: Iterable[ast.stmt], sure: bool) -> None:
        bound = self.bound[name]
        for statement in body:
            match statement:
                case ast.Import(names=names):
                    for alias in names:
                        self.load(alias.name)
                        bound.add(alias.asname or alias.name.partition(".")[0])
                case ast.ImportFrom():
                    try:
                        self._import_from(name, statement)
                    except _ImportFailure:
                        # Under a condition or in a `try` its author reckoned with it.
                        if sure:
                            raise
                case ast.FunctionDef(name=made) | ast.AsyncFunctionDef(name=made) | ast.ClassDef(name=made):
                    bound.add(made)
                case ast.If(test=test) if ast.unparse(test).endswith("TYPE_CHECKING"):
                    self._run_body(name, statement.orelse, sure)
                case _:
                    bound |= {
                        n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                    }
                    for inner in ("body", "handlers", "orelse", "finalbody"):
                        for inner_statement in getattr(statement, inner, ()):
                            self._run_body(
                                name,
                                inner_statement.body
                                if isinstance(inner_statement, ast.ExceptHandler)
                                else [inner_statement],
                                sure=False,
                            )

    def _import_from(self, name: str, statement: ast.ImportFrom) -> None:
        path = self.paths[name]
        package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
        base = resolve_import(statement, package)
        self.load(base)
        for alias in statement.names:
            inner = f"{base}.{alias.name}"
            if inner in self.paths:
                self.load(inner)
            elif base in self.loading and not self.bound[base] & {alias.name, "__getattr__"} and alias.name != "*":
                # `__getattr__` of a module may make any name, and `*` takes what there is.
                way = self.loading[self.loading.index(base) :]
                raise _ImportFailure(path, statement.lineno, alias.name, base, way)
            self.bound[name].add(alias.asname or alias.name)


def _list_ancestors(name: str) -> list[str]:
    """`a.b.c` -> a, a.b, a.b.c: what importing it runs, in order."""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


RETURNED = {"missing_returned_field", "undeclared_returned_field", "returned_type"}


def collect_findings(
    project: Project, linked: LinkResult, disagreements: Iterable[Disagreement] = ()
) -> tuple[Finding, ...]:
    """Every finding of a scanned and linked project, in the order in which they are shown. Ambiguity is a note."""
    builder = _FindingBuilder(project)
    return (
        *(builder.build_unreadable_file(item) for item in project.unreadable),
        *(builder.build_mismatch(item) for item in linked.mismatches),
        *(builder.build_dangling(item) for item in linked.dangling if item.is_method),
        *(builder.build_unreadable(item) for item in linked.unreadable),
        *builder.build_open_parts(),
        *(builder.build_ambiguous(item) for item in linked.ambiguous),
        *(builder.build_disagreement(item) for item in disagreements),
        *(builder.build_circle(item) for item in find_broken_imports(project)),
        *builder.build_namesakes(),
        *builder.build_unfit_handlers(),
    )


def derive_prefix(root: Path, whole: Path | None = None) -> str:
    """What stands before a path below a scan's root in a finding, which is named from the project's root: editors open
    files from there, and the scan may have begun below it."""
    inside, outside = root.resolve(), find_root(root, whole).resolve()
    prefix = inside.relative_to(outside).as_posix() if inside.is_relative_to(outside) else "."
    return "" if prefix == "." else f"{prefix}/"


class _FindingBuilder:
    def __init__(self, project: Project) -> None:
        self.project, self.prefix = project, derive_prefix(project.root, project.whole)

    def locate(
        self, agent: AgentDefinition | None, method: str | None = None, topic: str | None = None
    ) -> dict[str, Any]:
        """File and line of a method, a topic's publication or a class."""
        if agent is None:
            return {}
        definition = agent.method(method) if method else None
        # An inherited method stands in its parent's file; the finding must lead to the line that can be edited.
        inherited = definition.metadata.get("inherited_from") if definition else None
        file = inherited["source_file"] if inherited else agent.source_file
        lines = [p.lineno for p in agent.publications if topic and p.topic.name == topic]
        line = definition.lineno if definition else next(iter(lines), agent.metadata.get("lineno", 1))
        return {"file": f"{self.prefix}{file}", "line": line or 1}

    def _locate_end(self, end: Endpoint) -> dict[str, Any]:
        return self.locate(self.project.find_agent(end.node), end.method, end.topic)

    def _locate_method(self, where: str) -> dict[str, Any]:
        """The place of `Node.method` or `Node.method input`; a node's name may have dots too."""
        name = where.partition(" ")[0]
        # A component's name may hold dots, so the name is matched against those there are, and not cut at the first.
        for agent in self.project.agents:
            if name == agent.name or name.startswith(f"{agent.name}."):
                return self.locate(agent, name[len(agent.name) + 1 :].partition(".")[0] or None)
        return {}

    def build_mismatch(self, found_mismatch: Mismatch) -> Finding:
        """GB101, or GB102 where nobody could tell. It stands at the consumer, with the producer beside it."""
        link = found_mismatch.link
        message = f"{link.producer} may send what {link.consumer} rejects"
        if found_mismatch.compatible is None:
            message = f"whether {link.producer} fits {link.consumer} could not be decided"
        return Finding(
            "GB101" if found_mismatch.compatible is False else "GB102",
            message,
            subject=link.id,
            reasons=found_mismatch.reasons,
            payload=found_mismatch.counterexample,
            has_payload=found_mismatch.counterexample is not None,
            # At the consumer: it is the one that breaks. The producer stands beside it, one click away.
            related=(Related(f"{link.producer} sends it", **self._locate_end(link.producer)),),
            **self._locate_end(link.consumer),
        )

    def build_dangling(self, dangling_name: Any) -> Finding:
        """GB103."""
        return Finding(
            "GB103",
            str(dangling_name),
            subject=f"{dangling_name.where} -> {dangling_name.name}",
            **self._locate_method(dangling_name.where),
        )

    def build_unreadable_file(self, unreadable: UnreadableFile) -> Finding:
        """GB110."""
        with_it = tuple(f"{self.prefix}{path}" for path in unreadable.with_it)
        return build_unreadable_finding(f"{self.prefix}{unreadable.path}", unreadable.line, unreadable.reason, with_it)

    def build_unreadable(self, text: str) -> Finding:
        """GB104."""
        where = text.partition(":")[0]
        return Finding(
            "GB104", f"{text.rstrip('.')}. It is treated as undeclared", subject=where, **self._locate_method(where)
        )

    def build_open_parts(self) -> Iterator[Finding]:
        """GB104 as a note: what is not checked of the hint of a payload, as it could not be read."""
        for agent in self.project.agents:
            for method in agent.methods:
                for part in method.metadata.get(OPEN_PARTS, ()):
                    where = f"{agent.name}.{method.name}"
                    message = f"{where}: a part of the hint is not checked, {part}. Anything fits it"
                    yield Finding("GB104", message, subject=where, level=Level.NOTE, **self.locate(agent, method.name))

    def build_ambiguous(self, ambiguity: Any) -> Finding:
        """GB105, which fails nothing."""
        place = self.locate(self.project.find_agent(ambiguity.consumer))
        return Finding("GB105", str(ambiguity), subject=f"{ambiguity.producer} ? {ambiguity.consumer}", **place)

    def build_circle(self, broken_import: BrokenImport) -> Finding:
        """GB106."""
        # Sorted: the same circle is the same finding, wherever one entered it.
        subject = " -> ".join(sorted(broken_import.circle))
        return Finding("GB106", str(broken_import), f"{self.prefix}{broken_import.path}", broken_import.line, subject)

    def build_namesakes(self) -> Iterator[Finding]:
        """GB107, which fails nothing: each of them goes by its whole name."""
        by_name: dict[str, list[AgentDefinition]] = {}
        for agent in self.project.agents:
            by_name.setdefault(agent.class_name, []).append(agent)
        for name, some in by_name.items():
            if len(some) > 1:
                listed = " and ".join(f"{a.name} ({self.prefix}{a.source_file})" for a in some)
                message = f"{len(some)} components are classes of the name {name}: {listed}"
                yield Finding("GB107", message, subject=name, **self.locate(some[-1]))

    def build_unfit_handlers(self) -> Iterator[Finding]:
        """GB109."""
        for agent in self.project.agents:
            functions = _parse_functions(agent.source_code)
            for subscription in agent.subscriptions:
                if why := explain_invalid_subscription(subscription.topic.name):
                    where = f"{agent.name}.{subscription.handler_name}"
                    message = f"{where} subscribes to {subscription.topic.name!r}, which no run takes: {why}"
                    yield Finding("GB109", message, subject=where, **self.locate(agent, subscription.handler_name))
            for name in dict.fromkeys(s.handler_name for s in agent.subscriptions):
                method = agent.method(name)
                if method is not None and (why := _explain_unfit_handler(method, functions.get(name))):
                    where = f"{agent.name}.{name}"
                    message = f"{where} can never handle an event: {why}"
                    yield Finding("GB109", message, subject=where, **self.locate(agent, name))

    def build_disagreement(self, lint_finding: Disagreement) -> Finding:
        """GB201 or GB202: a contract against the code under it."""
        place = self._locate_method(lint_finding.method)
        return Finding(
            "GB202" if lint_finding.kind in RETURNED else "GB201",
            lint_finding.message,
            place.get("file", ""),
            lint_finding.lineno or place.get("line", 1),
            f"{lint_finding.method} {lint_finding.kind} {getattr(lint_finding.fix, 'field', '')}".rstrip(),
            fix=f"{lint_finding.fix.op} {lint_finding.fix.address}" if lint_finding.fix else "",
        )


# What no payload is: every one is an object.
_NO_OBJECT = Contract({"not": {"type": "object"}})


def _explain_unfit_handler(method: SchemaMethod, function: ast.AST | None) -> str:
    """Why no event fits a handler, or nothing. What a decorator that nobody here knows makes of it is not judged."""
    decorators = getattr(function, "decorator_list", ())
    if all(called_name(d) in PLAIN_DECORATORS for d in decorators):
        parameters = [
            HandlerParameter(p.name, p.kind, p.default is None, is_text=p.annotation in ("str", '"str"', "'str'"))
            for p in method.parameters
        ]
        if refusal := choose_form(parameters, alone=Form.PAYLOAD).refusal:
            return refusal
    taken = method.input_schema
    if taken is not None and check(Contract(taken.json_schema), _NO_OBJECT).compatible:
        return f"it takes {taken.source or annotation(taken.json_schema)}, and every payload is an object"
    return ""


def iter_ignoring_sources(project: Project) -> Iterator[tuple[str, str]]:
    """The files of the project with their texts, where comments may ignore a finding; named as findings name them."""
    prefix = _FindingBuilder(project).prefix
    for path, data in project.sources.items():
        if b"graphbus: ignore" in data:
            yield f"{prefix}{path}", data.decode("utf-8", "replace")


# Where a method's contract, its signature and what it really returns disagree, over a whole project.


def lint(project: Project, names: Container[str] | None = None) -> tuple[Disagreement, ...]:
    """Every finding, or those of the agents named, in the order of agents and methods; an inherited method is judged
    where it is written."""
    findings: list[Disagreement] = []
    for agent in project.agents:
        if names is not None and agent.name not in names:
            continue
        functions = _parse_functions(agent.source_code)
        handlers = {subscription.handler_name for subscription in agent.subscriptions}
        for method in agent.methods:
            if method.name in functions and not method.metadata.get("inherited_from"):
                handles = method.name in handlers
                findings += contract_lint(agent.name, method, functions[method.name], handles=handles)
    return tuple(findings)


def _parse_functions(source: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods of a class, given its text."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return {}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {f.name: f for c in classes for f in c.body if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef)}
