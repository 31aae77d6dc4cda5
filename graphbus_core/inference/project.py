"""`infer`: a project -> its components, their contracts, who gives what to whom, and what cannot fit. Nothing runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.files import build_unreadable_finding, derive_module, find_root
from graphbus_core.findings import Finding
from graphbus_core.inference.checks import UseChecker, find_unwritten_keys
from graphbus_core.inference.frameworks import Unread, read_edges
from graphbus_core.inference.interfaces import InferredSignature
from graphbus_core.inference.shapes import UNKNOWN, Certainty, render_shape
from graphbus_core.inference.signatures import Signatures


@dataclass(frozen=True)
class Method:
    """One function of a component, with what it takes and gives."""

    name: str
    file: str
    line: int
    signature: InferredSignature

    @property
    def level(self) -> Certainty:
        """How sure the whole contract is: as sure as its least sure part."""
        return min([self.signature.gives.level, *(t.told.level for t in self.signature.takes)])

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the contract comes from, each once: `hint`, `returns`, `default`, `docstring`, `tests`."""
        parts = [*(part.told for part in self.signature.takes), self.signature.gives]
        return tuple(dict.fromkeys(part.source for part in parts if part.source and part.shape != UNKNOWN))

    def __str__(self) -> str:
        takes = ", ".join(
            f"{t.name}{'' if t.required else '='}: {render_shape(t.told.shape)}" for t in self.signature.takes
        )
        return f"{self.name}({takes}) -> {render_shape(self.signature.gives.shape)}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        gives = self.signature.gives
        return {
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "level": self.level.word,
            "from": list(self.sources),
            "takes": [
                {
                    "name": t.name,
                    "type": render_shape(t.told.shape),
                    "required": t.required,
                    "level": t.told.level.word,
                    "from": t.told.source,
                }
                for t in self.signature.takes
            ],
            "gives": {"type": render_shape(gives.shape), "level": gives.level.word, "from": gives.source},
        }


@dataclass(frozen=True)
class Component:
    """A class, or a module whose functions are called from another one."""

    name: str
    kind: str  # class | functions
    file: str
    line: int
    methods: tuple[Method, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        methods = [method.to_dict() for method in self.methods]
        return {"name": self.name, "kind": self.kind, "file": self.file, "line": self.line, "methods": methods}


@dataclass(frozen=True)
class InferredLink:
    """What `producer` gives reaches what `consumer` takes, as the places show.

    By a call, where it has no `kind`; else by a framework: `carries` says under which key, parameter or model.
    """

    producer: str
    consumer: str
    places: tuple[str, ...]
    kind: str = ""
    carries: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        by = {"kind": self.kind, "carries": self.carries} if self.kind else {}
        return {"producer": self.producer, "consumer": self.consumer, "places": list(self.places), **by}


@dataclass(frozen=True)
class InferredProject:
    """What was read. `left_out` are files that were not, each with the reason."""

    root: Path
    files: int
    components: tuple[Component, ...]
    links: tuple[InferredLink, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()  # places where a framework hands data over that could not be read
    types: str = "not asked for"  # the engine that looked for GB506; else why none did, in brackets

    @property
    def has_checked_types(self) -> bool:
        """Whether a type checker looked as well."""
        return not self.types.startswith(("not", "("))

    @property
    def levels(self) -> Counter[Certainty]:
        """How many contracts are how sure."""
        return Counter(method.level for component in self.components for method in component.methods)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "root": str(self.root),
            "files": self.files,
            "components": [item.to_dict() for item in self.components],
            "links": [item.to_dict() for item in self.links],
            "findings": [item.to_dict() for item in self.findings],
            "levels": {level.word: self.levels[level] for level in Certainty},
            "left_out": list(self.left_out),
            **({"unread": [{"kind": item.kind, "place": item.place} for item in self.unread]} if self.unread else {}),
            # Only where something is lost: what was looked at is the usual thing.
            **({"types": f"not run {self.types}"} if self.types.startswith("(") else {}),
        }


def infer(
    path: Path | str,
    *,
    root: Path | str | None = None,
    over: dict[str, bytes] | None = None,
    links: bool = True,
    among: Mapping[str, Sequence[str]] | None = None,
    types: bool = False,
) -> InferredProject:
    """Read the project around a folder. `over` holds texts that count in place of files (an editor's).

    `root` is the project's folder, where it is not the nearest with a `pyproject.toml` or `.git`.

    `among` has globs on paths and dotted modules, `include` and `exclude`: what they leave out is read, and not told.

    With `types` the type checker that is installed looks as well; `types` of the answer says which, or why none did.

    Without `links` only the components and the findings are looked for, which costs half.
    """
    start = Path(path).resolve()
    # Of a file its folder is meant, as an editor asks.
    nearest = find_root(start) if start.is_dir() else start.parent
    whole = nearest if root is None else find_root(start, Path(root).resolve())
    base = nearest.relative_to(whole).as_posix() if nearest.is_relative_to(whole) else "."
    project = ProjectAnalysis(whole, prefix="" if base == "." else base, over=over)
    signatures = Signatures(project)
    uses = UseChecker(signatures)
    # Tests are read for what they show and not for faults: they break contracts on purpose.
    own = list(_select_files([file for file in project.texts.paths if not project.texts.is_test(file)], among or {}))
    findings = [finding for file in own for finding in uses.check_file(file)]
    findings += _find_unreadable_files(project, own)
    findings += find_unwritten_keys(file for path in own if (file := signatures.sources[path]) is not None)
    checked_by = "not asked for"
    if types:
        checked_by, more = _check_types(signatures, own, findings)
        findings += more
    components = tuple(_build_components(signatures, own, uses.called_from))
    seen_links = project.find_links() if links else ()
    inferred_links = tuple(
        InferredLink(str(link.producer), str(link.consumer), tuple(dict.fromkeys(e.place for e in link.evidence)))
        for link in seen_links
    )
    unread: list[Unread] = []
    if links:
        edges, unread = read_edges(signatures)
        inferred_links += tuple(InferredLink(e.producer, e.consumer, e.places, e.kind, e.carries) for e in edges)
    # A file that is told as a finding, or that nobody asked for, is not named a second time.
    told = {path for path in project.texts.paths if project.texts[path].problem and not project.texts.is_test(path)}
    left_out = tuple(note for note in project.texts.left_out if note.partition(":")[0] not in told)
    # By place: the order of files on a disk is nobody's.
    order = sorted(findings, key=lambda entry: (entry.file, entry.line, entry.code))
    return InferredProject(
        whole, len(own), components, inferred_links, tuple(order), left_out, tuple(unread), checked_by
    )


def _check_types(signatures: Signatures, own: Sequence[str], findings: Sequence[Finding]) -> tuple[str, list[Finding]]:
    """The name of the engine that looked, or why none did; and what it adds to these findings."""
    from graphbus_core.analysis.type_checker import find_engine
    from graphbus_core.analysis.type_checker.port import EngineFailed
    from graphbus_core.inference.checked_types import CheckedTypes

    engine = find_engine(signatures.project.root)
    if engine is None:
        return "(no type checker is installed)", []
    with engine:
        try:
            diagnostics = engine.find_diagnostics(signatures.project.root)
        except EngineFailed as e:
            return f"({e})", []
    files = set(own)
    told = {(finding.file, finding.line) for finding in findings}
    mine = [diagnostic for diagnostic in diagnostics if diagnostic.path in files]
    return engine.name, list(CheckedTypes(signatures).build_findings(mine, told))


def _find_unreadable_files(project: ProjectAnalysis, files: Sequence[str]) -> Iterator[Finding]:
    """The files that are not Python that can be read here, each with who takes something from it."""
    for path in files:
        if problem := project.texts[path].problem:
            place, _, reason = problem.partition(" ")
            line = place.rpartition(":")[2]
            importers = tuple(
                other
                for other in project.texts.paths
                for ways in project.texts[other].imports.values()
                for module, attribute in ways
                if path in (project.texts.find_module(name, other) for name in (module, f"{module}.{attribute}"))
            )
            yield build_unreadable_finding(
                path, int(line) if line.isdigit() else 1, reason.rpartition(": ")[2], tuple(dict.fromkeys(importers))
            )


def _select_files(files: Sequence[str], among: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The Python files that are meant."""
    include, exclude = among.get("include"), among.get("exclude", ())
    for file in files:
        if file.endswith(".py") and (not include or _matches_any(file, include)) and not _matches_any(file, exclude):
            yield file


def _matches_any(file: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(way, pattern) for pattern in globs for way in (file, derive_module(file)))


def _build_components(
    signatures: Signatures, files: list[str], called_from: dict[tuple[str, str], set[str]]
) -> Iterator[Component]:
    """Classes with public methods, and the functions of a module that another module calls."""
    for path in files:
        file = signatures.sources[path]
        if file is None:
            continue
        for cls, class_node in file.classes.items():
            names = [
                n for n, owner in file.owner.items() if owner == cls and not file.functions[n].name.startswith("_")
            ]
            methods = tuple(_build_methods(signatures, path, names))
            if methods:
                yield Component(cls, "class", path, class_node.lineno, methods)
        names = [n for n in file.functions if n not in file.owner and "." not in n and not n.startswith("_")]
        # A function that only its own file calls is not an interface of anybody.
        methods = tuple(
            _build_methods(signatures, path, [n for n in names if called_from.get((path, n), set()) - {path}])
        )
        if methods:
            yield Component(derive_module(path), "functions", path, methods[0].line, methods)


def _build_methods(signatures: Signatures, path: str, names: list[str]) -> Iterator[Method]:
    file = signatures.sources[path]
    for name in names:
        signature = signatures.find(path, name)
        if signature is not None and file is not None:
            yield Method(name.rpartition(".")[2], path, file.functions[name].lineno, signature)
