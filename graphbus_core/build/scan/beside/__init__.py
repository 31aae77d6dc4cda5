"""What is declared beside the code: components that settings name, `contracts.toml`, and files written elsewhere.

    contracts_file   `contracts.toml` -> entries, each with its line; what cannot be read is an error with its line
    external         an OpenAPI, AsyncAPI or JSON Schema file -> a node that is asked and shown, and never edited
    typed            a type as it stands there (`"list[str]"`, a table) -> the expression an author would write

`Beside` is all of it for one scan. The scanner asks it who takes part, the extractor what a method's contract is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.errors import ConfigError, ScanError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.nearest import near_names
from graphbus_core.settings.effective import Settings

# Late: most projects have neither a contracts file nor anything written elsewhere, and what reads OpenAPI is large.
if TYPE_CHECKING:
    from graphbus_core.build.scan.beside.contracts_file import ContractsFile, Declaration
    from graphbus_core.build.scan.beside.external import External

__all__ = ["Beside", "Strangers", "read_beside"]


class Strangers(ScanError):
    """Entries of the contracts file that the code has nothing for. `names` are all of them, `module:Name`."""

    def __init__(self, found: Sequence[tuple[Declaration, str]]) -> None:
        (entry, why), more = found[0], len(found) - 1
        also = f" {more} more entr{'y is' if more == 1 else 'ies are'} like it." if more else ""
        super().__init__(f"{entry.place}: {why}{also}")
        self.names = frozenset(f"{entry.module}:{entry.name}" for entry, _ in found)


SRC = "src."  # a scan from above `src/` names its modules with it, and one from inside does not


@dataclass(frozen=True)
class Beside:
    """`components`: globs on `module:Name`. `contracts`: what the contracts file says, None where there is none.
    `external`: components that are written elsewhere."""

    components: tuple[str, ...] = ()
    contracts: ContractsFile | None = None
    external: tuple[External, ...] = ()
    settings: Settings | None = field(default=None, repr=False, compare=False)
    seen_from: Path = field(default=Path("."), repr=False, compare=False)

    @property
    def patterns(self) -> tuple[str, ...]:
        """Who takes part by name: the settings' components, and whoever has an entry."""
        named = [name for entry in self._entries.values() for name in entry.components]
        return tuple(dict.fromkeys([*self.components, *named, *(SRC + one for one in named)]))

    @property
    def stamp(self) -> str:
        """Of everything here that a reading of a file rests on: a scan's cache is another where this is."""
        return f"{self.components} {self.contracts.digest if self.contracts else ''}"

    @property
    def files(self) -> dict[Path, str]:
        """The files that were read, with their sha256."""
        found = {self.contracts.path: self.contracts.digest} if self.contracts else {}
        return found | {one.path: one.digest for one in self.external}

    def nodes(self, own: Iterable[AgentDefinition]) -> tuple[AgentDefinition, ...]:
        """The external nodes, with what the contracts file says feeds them.

        Raises ConfigError for a name that is taken, or a method that is not there.
        """
        names = {agent.name for agent in own}
        for one in self.external:
            if one.node.name in names:
                raise ConfigError(
                    f"external {one.path.name}: there is a component {one.node.name} in the code too. "
                    f'Name the file: external = ["Other{one.node.name}={one.path.name}"].'
                )
        fed = self.contracts.fed if self.contracts else {}
        if not self.external and not fed:
            return ()
        from graphbus_core.build.scan.beside.external import fed_by

        return fed_by([one.node for one in self.external], fed)

    def entry(self, module: str, name: str) -> Declaration | None:
        """What the contracts file says of `Class.method`, or of a function, in a module."""
        return self._entries.get(f"{module.removeprefix(SRC)}:{name}")

    def within(self, root: Path) -> dict[str, str]:
        """The files that lie below a scan's root, relative to it, with their sha256."""
        inside = root.resolve()
        return {
            path.resolve().relative_to(inside).as_posix(): digest
            for path, digest in self.files.items()
            if path.resolve().is_relative_to(inside)
        }

    def again(self) -> Beside:
        """The same, read anew where a file changed."""
        return self if self.settings is None else read_beside(self.settings, self.seen_from, self)

    def must_be_there(
        self, agents: Iterable[AgentDefinition], scanned: Iterable[str], is_module: Callable[[str], bool]
    ) -> None:
        """Raise Strangers for entries of which the code holds nothing: unread, each is a check that never runs.

        `scanned` are the modules that were; what an entry says of another module of the project is not looked at.
        """
        if self._entries and (found := list(self._strangers(agents, scanned, is_module))):
            raise Strangers(found)

    def _strangers(
        self, agents: Iterable[AgentDefinition], scanned: Iterable[str], is_module: Callable[[str], bool]
    ) -> Iterator[tuple[Declaration, str]]:
        known: dict[str, set[str]] = {}
        for agent in agents:
            names = known.setdefault(agent.module.removeprefix(SRC), set())
            plain = agent.metadata.get("plain") == "functions"
            names |= {m.name if plain else f"{agent.class_name}.{m.name}" for m in agent.methods}
            names |= set() if plain else {agent.class_name}
        modules = {name.removeprefix(SRC) for name in scanned}
        for entry in self._entries.values():
            if entry.module in modules:
                there = sorted(known.get(entry.module, ()))
                if entry.name not in there:
                    near = [f"{entry.module}:{one}" for one in near_names(entry.name, there, sure=True)]
                    what = f"{entry.module} has no class, method or function {entry.name} that can take part."
                    yield entry, what + _meant(near)
            elif not is_module(entry.module) and not is_module(SRC + entry.module):
                near = near_names(entry.module, sorted(modules), sure=True)
                yield entry, f"there is no module {entry.module} here." + _meant(near)

    @property
    def _entries(self) -> Mapping[str, Declaration]:
        return self.contracts.entries if self.contracts else {}


def _meant(near: list[str]) -> str:
    return f" Did you mean {near[0]}?" if near else ""


def read_beside(settings: Settings, seen_from: Path, before: Beside | None = None) -> Beside:
    """What a project's settings name. `before` is what was read of it last. Raises ConfigError, with file and line.

    `seen_from` is the root of the scan, which the paths of nodes are relative to.
    """
    path = settings.root / settings["contracts_file"]
    known = before.contracts if before else None
    contracts = None
    if path.is_file():
        from graphbus_core.build.scan.beside.contracts_file import read_contracts

        contracts = read_contracts(path, known)
    elif settings.stated("contracts_file"):
        raise ConfigError(
            f"{settings.source('contracts_file')}: there is no {path}. `graphbus infer --contracts --write` writes one."
        )
    outside = before.external if before else ()
    if settings["external"] and (before is None or any(_digest(one.path) != one.digest for one in outside)):
        from graphbus_core.build.scan.beside.external import read_external

        outside = read_external(settings["external"], settings.root, settings.source("external"), seen_from)
    return Beside(settings["components"], contracts, outside, settings, seen_from)


def _digest(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
