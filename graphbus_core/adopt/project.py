"""`infer`: a project -> its components, their contracts, who gives what to whom, and what cannot fit. Nothing runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from graphbus_core.adopt.asked import InferredSignature
from graphbus_core.adopt.keys import lonely_keys
from graphbus_core.adopt.known.shapes import UNKNOWN, Certainty, text
from graphbus_core.adopt.signatures import Signatures
from graphbus_core.adopt.uses import UseFinder
from graphbus_core.build.understand import Project
from graphbus_core.build.understand.text.files import find_root, module_of
from graphbus_core.findings import Finding


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
        parts = [*(one.told for one in self.signature.takes), self.signature.gives]
        return tuple(dict.fromkeys(one.source for one in parts if one.source and one.shape != UNKNOWN))

    def __str__(self) -> str:
        takes = ", ".join(f"{t.name}{'' if t.required else '='}: {text(t.told.shape)}" for t in self.signature.takes)
        return f"{self.name}({takes}) -> {text(self.signature.gives.shape)}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        gives = self.signature.gives
        return {
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "level": self.level.name.lower(),
            "from": list(self.sources),
            "takes": [
                {
                    "name": t.name,
                    "type": text(t.told.shape),
                    "required": t.required,
                    "level": t.told.level.name.lower(),
                    "from": t.told.source,
                }
                for t in self.signature.takes
            ],
            "gives": {"type": text(gives.shape), "level": gives.level.name.lower(), "from": gives.source},
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
        methods = [one.to_dict() for one in self.methods]
        return {"name": self.name, "kind": self.kind, "file": self.file, "line": self.line, "methods": methods}


@dataclass(frozen=True)
class LinkSeen:
    """What `producer` gives reaches what `consumer` takes, as the places show."""

    producer: str
    consumer: str
    places: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {"producer": self.producer, "consumer": self.consumer, "places": list(self.places)}


@dataclass(frozen=True)
class Inferred:
    """What was read. `left_out` are files that were not, each with the reason."""

    root: Path
    files: int
    components: tuple[Component, ...]
    links: tuple[LinkSeen, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...] = ()

    @property
    def levels(self) -> Counter[Certainty]:
        """How many contracts are how sure."""
        return Counter(method.level for one in self.components for method in one.methods)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "root": str(self.root),
            "files": self.files,
            "components": [one.to_dict() for one in self.components],
            "links": [one.to_dict() for one in self.links],
            "findings": [one.to_dict() for one in self.findings],
            "levels": {level.name.lower(): self.levels[level] for level in Certainty},
            "left_out": list(self.left_out),
        }


def infer(
    path: Path | str,
    *,
    root: Path | str | None = None,
    over: dict[str, bytes] | None = None,
    links: bool = True,
    among: Mapping[str, Sequence[str]] | None = None,
) -> Inferred:
    """Read the project around a folder. `over` holds texts that count in place of files (an editor's).

    `root` is the project's folder, where it is not the nearest with a `pyproject.toml` or `.git`.

    `among` has globs on paths and dotted modules, `include` and `exclude`: what they leave out is read, and not told.

    Without `links` only the components and the findings are looked for, which costs half.
    """
    given = Path(path).resolve()
    # Of a file its folder is meant, as an editor asks.
    nearest = find_root(given) if given.is_dir() else given.parent
    whole = nearest if root is None else find_root(given, Path(root).resolve())
    base = nearest.relative_to(whole).as_posix() if nearest.is_relative_to(whole) else "."
    project = Project(whole, prefix="" if base == "." else base, over=over)
    signatures = Signatures(project)
    uses = UseFinder(signatures)
    # Tests are read for what they show and not for faults: they break contracts on purpose.
    own = list(_among([file for file in project.texts.paths if not project.texts.is_test(file)], among or {}))
    findings = [finding for file in own for finding in uses.findings(file)]
    findings += lonely_keys(file for path in own if (file := signatures.sources[path]) is not None)
    components = tuple(_components(signatures, own, uses.called_from))
    seen_links = project.links() if links else ()
    shown = tuple(
        LinkSeen(str(seen.producer), str(seen.consumer), tuple(dict.fromkeys(e.place for e in seen.evidence)))
        for seen in seen_links
    )
    # By place: the order of files on a disk is nobody's.
    order = sorted(findings, key=lambda one: (one.file, one.line, one.code))
    return Inferred(whole, len(own), components, shown, tuple(order), tuple(project.texts.left_out))


def _among(files: Sequence[str], among: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The Python files that are meant."""
    include, exclude = among.get("include"), among.get("exclude", ())
    for file in files:
        if file.endswith(".py") and (not include or _named(file, include)) and not _named(file, exclude):
            yield file


def _named(file: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(way, one) for one in globs for way in (file, module_of(file)))


def _components(
    signatures: Signatures, files: list[str], called_from: dict[tuple[str, str], set[str]]
) -> Iterator[Component]:
    """Classes with public methods, and the functions of a module that another module calls."""
    for path in files:
        file = signatures.sources[path]
        if file is None:
            continue
        for cls, at in file.classes.items():
            names = [
                n for n, owner in file.owner.items() if owner == cls and not file.functions[n].name.startswith("_")
            ]
            methods = tuple(_methods(signatures, path, names))
            if methods:
                yield Component(cls, "class", path, at.lineno, methods)
        names = [n for n in file.functions if n not in file.owner and "." not in n and not n.startswith("_")]
        # A function that only its own file calls is not an interface of anybody.
        methods = tuple(_methods(signatures, path, [n for n in names if called_from.get((path, n), set()) - {path}]))
        if methods:
            yield Component(module_of(path), "functions", path, methods[0].line, methods)


def _methods(signatures: Signatures, path: str, names: list[str]) -> Iterator[Method]:
    file = signatures.sources[path]
    for name in names:
        made = signatures.of(path, name)
        if made is not None and file is not None:
            yield Method(name.rpartition(".")[2], path, file.functions[name].lineno, made)
