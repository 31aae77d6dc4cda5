"""What is declared beside the code: components that settings name, `contracts.toml`, and files written elsewhere.

    contracts_file   `contracts.toml` -> entries, each with its line; what cannot be read is an error with its line
    external         an OpenAPI, AsyncAPI or JSON Schema file -> a node that is asked and shown, and never edited
    typed            a type as it stands there (`"list[str]"`, a table) -> the expression an author would write

`SideDeclarations` is all of it for one scan. The scanner asks it who takes part, the extractor what a method's contract
is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.errors import ConfigError, ScanError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.settings.effective import Settings
from graphbus_core.suggestions import suggest_names

# Late: most projects have neither a contracts file nor anything written elsewhere, and what reads OpenAPI is large.
if TYPE_CHECKING:
    from graphbus_core.analysis.scan.contracts_file import ContractsFile, Declaration
    from graphbus_core.analysis.scan.external import ExternalComponent

__all__ = ["SideDeclarations", "UnknownEntries", "read_declarations"]


class UnknownEntries(ScanError):
    """Entries of the contracts file that the code has nothing for. `names` are all of them, `module:Name`."""

    def __init__(self, unknown_entries: Sequence[tuple[Declaration, str]]) -> None:
        (entry, why), more = unknown_entries[0], len(unknown_entries) - 1
        also = f" {more} more entr{'y is' if more == 1 else 'ies are'} like it." if more else ""
        super().__init__(f"{entry.place}: {why}{also}")
        self.names = frozenset(f"{entry.module}:{entry.name}" for entry, _ in unknown_entries)


SRC = "src."  # a scan from above `src/` names its modules with it, and one from inside does not


@dataclass(frozen=True)
class SideDeclarations:
    """`components`: globs on `module:Name`. `contracts`: what the contracts file says, None where there is none.
    `external`: components that are written elsewhere."""

    components: tuple[str, ...] = ()
    contracts: ContractsFile | None = None
    external: tuple[ExternalComponent, ...] = ()
    settings: Settings | None = field(default=None, repr=False, compare=False)
    seen_from: Path = field(default=Path("."), repr=False, compare=False)

    @property
    def patterns(self) -> tuple[str, ...]:
        """Who takes part by name: the settings' components, and whoever has an entry."""
        entry_components = [name for entry in self._entries.values() for name in entry.components]
        return tuple(
            dict.fromkeys([*self.components, *entry_components, *(SRC + component for component in entry_components)])
        )

    @property
    def stamp(self) -> str:
        """Of everything here that a reading of a file rests on: a scan's cache is another where this is."""
        return f"{self.components} {self.contracts.digest if self.contracts else ''}"

    @property
    def files(self) -> dict[Path, str]:
        """The files that were read, with their sha256."""
        digests = {self.contracts.path: self.contracts.digest} if self.contracts else {}
        return digests | {component.path: component.digest for component in self.external}

    def build_nodes(self, own: Iterable[AgentDefinition]) -> tuple[AgentDefinition, ...]:
        """The external nodes, with what the contracts file says feeds them.

        Raises ConfigError for a name that is taken, or a method that is not there.
        """
        names = {agent.name for agent in own}
        for component in self.external:
            if component.node.name in names:
                raise ConfigError(
                    f"external {component.path.name}: there is a component {component.node.name} in the code too. "
                    f'Name the file: external = ["Other{component.node.name}={component.path.name}"].'
                )
        fed = self.contracts.fed if self.contracts else {}
        if not self.external and not fed:
            return ()
        from graphbus_core.analysis.scan.external import apply_feeds

        return apply_feeds([component.node for component in self.external], fed)

    def find_entry(self, module: str, name: str) -> Declaration | None:
        """What the contracts file says of `Class.method`, or of a function, in a module."""
        return self._entries.get(f"{module.removeprefix(SRC)}:{name}")

    def list_files_within(self, root: Path) -> dict[str, str]:
        """The files that lie below a scan's root, relative to it, with their sha256."""
        inside = root.resolve()
        return {
            path.resolve().relative_to(inside).as_posix(): digest
            for path, digest in self.files.items()
            if path.resolve().is_relative_to(inside)
        }

    def reload(self) -> SideDeclarations:
        """The same, read anew where a file changed."""
        return self if self.settings is None else read_declarations(self.settings, self.seen_from, self)

    def check_entries(
        self, agents: Iterable[AgentDefinition], scanned: Iterable[str], is_module: Callable[[str], bool]
    ) -> None:
        """Raise Strangers for entries of which the code holds nothing: unread, each is a check that never runs.

        `scanned` are the modules that were; what an entry says of another module of the project is not looked at.
        """
        if self._entries and (unknown_entries := list(self._find_unknown_entries(agents, scanned, is_module))):
            raise UnknownEntries(unknown_entries)

    def _find_unknown_entries(
        self, agents: Iterable[AgentDefinition], scanned: Iterable[str], is_module: Callable[[str], bool]
    ) -> Iterator[tuple[Declaration, str]]:
        names_by_module: dict[str, set[str]] = {}
        for agent in agents:
            names = names_by_module.setdefault(agent.module.removeprefix(SRC), set())
            plain = agent.metadata.get("plain") == "functions"
            names |= {m.name if plain else f"{agent.class_name}.{m.name}" for m in agent.methods}
            names |= set() if plain else {agent.class_name}
        modules = {name.removeprefix(SRC) for name in scanned}
        for entry in self._entries.values():
            if entry.module in modules:
                module_names = sorted(names_by_module.get(entry.module, ()))
                if entry.name not in module_names:
                    near = [
                        f"{entry.module}:{near_name}"
                        for near_name in suggest_names(entry.name, module_names, sure=True)
                    ]
                    what = f"{entry.module} has no class, method or function {entry.name} that can take part."
                    yield entry, what + _render_suggestion(near)
            elif not is_module(entry.module) and not is_module(SRC + entry.module):
                near = suggest_names(entry.module, sorted(modules), sure=True)
                yield entry, f"there is no module {entry.module} here." + _render_suggestion(near)

    @property
    def _entries(self) -> Mapping[str, Declaration]:
        return self.contracts.entries if self.contracts else {}


def _render_suggestion(near: list[str]) -> str:
    return f" Did you mean {near[0]}?" if near else ""


def read_declarations(settings: Settings, seen_from: Path, before: SideDeclarations | None = None) -> SideDeclarations:
    """What a project's settings name. `before` is what was read of it last. Raises ConfigError, with file and line.

    `seen_from` is the root of the scan, which the paths of nodes are relative to.
    """
    path = settings.root / settings["contracts_file"]
    previous = before.contracts if before else None
    contracts = None
    if path.is_file():
        from graphbus_core.analysis.scan.contracts_file import read_contracts

        contracts = read_contracts(path, previous)
    elif settings.is_stated("contracts_file"):
        raise ConfigError(
            f"{settings.find_source('contracts_file')}: there is no {path}. `graphbus infer --contracts "
            f"--write` writes one."
        )
    outside = before.external if before else ()
    if settings["external"] and (
        before is None or any(_digest(component.path) != component.digest for component in outside)
    ):
        from graphbus_core.analysis.scan.external import read_external

        outside = read_external(settings["external"], settings.root, settings.find_source("external"), seen_from)
    return SideDeclarations(settings["components"], contracts, outside, settings, seen_from)


def _digest(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
