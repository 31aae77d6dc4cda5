"""How the contracts of a project evolve: one version held against another, and a version as git has it.

For `graphbus contracts`. The judging is `contracts`; here is where the contracts of a project are found, today and at
a git revision. Schema files are read by `contracts.front`.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphbus_core.analysis.scan import scan
from graphbus_core.contracts import Change, Contract, method_changes
from graphbus_core.errors import ContractError, NoAgentsError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.schema import SchemaMethod
from graphbus_core.storage.git import run_git
from graphbus_core.suggestions import suggest_names

Side = Contract | Mapping[str, Any] | bool
Place = tuple[str, int]
Promises = Mapping[str, tuple[SchemaMethod, Place]]
# Git over a network file system may hang; a minute is longer than any local repository takes.
GIT_TIMEOUT_S = 60


@dataclass(frozen=True)
class MethodChange:
    """One change of one method's promise; `change` None: the method (or its whole node) came or went.

    `places` are the file and line of its `def` in the old and in the new project.
    """

    method: str
    message: str
    breaking: bool
    change: Change | None = None
    places: tuple[Place | None, Place | None] = (None, None)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        change = self.change.to_dict() if self.change else None
        return {"method": self.method, "message": self.message, "breaking": self.breaking, "change": change}


def read_side(text: str, project: str, which: str) -> Side:
    """The contract of `Node.method` of a project, on one side.

    Raises ContractError (no such method, no contract on that side) and what a scan raises.
    """
    path = Path(text)
    node, _, method = text.rpartition(".")
    if not node or path.suffix in (".json", ".yaml", ".yml") or "/" in text:
        raise ContractError(f"{text} is not a file; give a JSON Schema file, or Node.method with --project FOLDER.")
    agents = {agent.name: agent for agent in scan(project).agents}
    if node not in agents:
        near = suggest_names(node, agents, sure=True) or list(agents)[:5]
        raise ContractError(f"{project} has no node {node!r}; there is {', '.join(near)}.")
    method_definition = agents[node].method(method)
    if method_definition is None:
        raise ContractError(f"{node} has no method {method!r} with a contract; {_describe_methods(agents[node])}.")
    schema = method_definition.output_schema if which == "output" else method_definition.input_schema
    if schema is None:
        raise ContractError(f"{text} declares no {which}; add {which}_schema={{…}} to its @schema_method.")
    return Contract(schema.json_schema)


def find_contract_changes(before: Promises, after: Promises, *, reading: str = "link") -> tuple[MethodChange, ...]:
    """Every change in the promises of a project's methods, by node and method."""
    method_changes_found: list[MethodChange] = []
    for name in sorted({*before, *after}):
        was, now = before.get(name), after.get(name)
        places = (was[1] if was else None, now[1] if now else None)
        if was is None or now is None:
            words, breaking = ("was removed", True) if now is None else ("was added", False)
            method_changes_found.append(MethodChange(name, words, breaking, None, places))
            continue
        for change in method_changes(was[0], now[0], reading=reading):
            method_changes_found.append(MethodChange(name, change.message, change.breaking, change, places))
    return tuple(method_changes_found)


def read_promises(folder: str) -> Promises:
    """The promises of a folder's agents as its source has them; none where it holds no agent."""
    try:
        project = scan(folder)
    except NoAgentsError:
        return {}
    return collect_promises(project.agents, project.root)


def collect_promises(agents: Iterable[AgentDefinition], root: Path) -> Promises:
    """`Node.method` -> what it promises, and where its `def` stands."""
    return {
        f"{agent.name}.{method.name}": (method, ((root / agent.source_file).as_posix(), method.lineno or 1))
        for agent in agents
        for method in agent.methods
        if method.input_schema or method.output_schema
    }


@contextmanager
def unpack_revision(path: str, revision: str) -> Iterator[Path]:
    """A folder as git has it at a revision, unpacked into a temporary folder; empty where git does not have it there.

    Raises ContractError where there is no such revision.
    """
    base = folder = Path(path).resolve()
    while not base.is_dir():  # the folder may be gone today
        base = base.parent
    commit = resolve_commit(base, revision)
    top = Path(read_git(base, "rev-parse", "--show-toplevel").decode().strip())
    inside = folder.relative_to(top.resolve()).as_posix()
    exists = inside == "." or read_git(top, "ls-tree", "--name-only", commit, "--", inside).strip()
    with TemporaryDirectory(prefix="graphbus-") as target:
        inner = Path(target).resolve() / inside
        inner.mkdir(parents=True, exist_ok=True)
        if exists:
            data = read_git(top, "archive", "--format=tar", commit, "--", inside)
            with tarfile.open(fileobj=BytesIO(data)) as archive:
                archive.extractall(target, filter="data")
        yield inner


def resolve_commit(folder: Path, revision: str) -> str:
    """The commit that a revision names, in the repository around a folder. Raises ContractError."""
    if revision.startswith("-"):
        raise ContractError(f"{revision!r} is not a git revision.")
    return (
        read_git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        .decode()
        .strip()
    )


def read_git(folder: Path, *words: str) -> bytes:
    """What git prints. Raises ContractError with its own last line."""
    try:
        process = run_git(folder, *words, timeout_s=GIT_TIMEOUT_S)
    except OSError as e:
        raise ContractError(f"git could not be run in {folder}: {e}.") from None
    if process.returncode != 0:
        # The last line of git is its reason; what stands above is progress.
        why = process.stderr.decode(errors="replace").strip() or f"git {words[0]} {words[-1]} found nothing"
        raise ContractError(f"git has no such version of {folder}: {why.splitlines()[-1]}.")
    return process.stdout


def _describe_methods(agent: AgentDefinition) -> str:
    names = [m.name for m in agent.methods if m.input_schema or m.output_schema]
    return f"it has {', '.join(names)}" if names else "it has none"
