"""The nodes of a build that speak for themselves: their classes, imported for this build alone, and whom to tell what.

Every build imports the project's modules anew, from the bytes that it scanned, apart from what this process has
imported before (`artifacts.importing`): an earlier build, or another project with a module of the same name, never
answers. A node speaks with the voice it had when the build began, also after a commit has changed its source.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.artifacts.importing import PrivateModules
from graphbus_core.build.scan import Project
from graphbus_core.errors import ParticipantError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.negotiation.core import Participant
from graphbus_core.negotiation.proposal.vocabulary import CommitRecord
from graphbus_core.participants.own_voice import WITHIN_S, OwnVoiceParticipant


class OwnVoices:
    """The nodes of `project` that override `propose`, `evaluate` or `commit`; `within_s`: how long they may take."""

    def __init__(self, project: Project, within_s: float = WITHIN_S) -> None:
        self.project = project
        self.within_s = within_s
        self._modules = PrivateModules(
            {m.name: m for m in project.modules}, project.sources, str(project.root), {"print": _print}
        )
        self._seats: dict[str, OwnVoiceParticipant] = {}

    def seat(self, otherwise: Mapping[str, Participant]) -> Mapping[str, Participant]:
        """A participant for each of them. Raises ParticipantError for a class that cannot be imported or made."""
        try:
            for agent in self.project.agents:
                if overrides := agent.metadata.get("overrides"):
                    node = self._node(agent, overrides)
                    self._seats[agent.name] = OwnVoiceParticipant(node, overrides, otherwise[agent.name], self.within_s)
        except BaseException:
            self.close()
            raise
        return self._seats

    def committed(self, record: CommitRecord, audience: Iterable[str]) -> None:
        """Note a commit for those of `audience` that speak for themselves."""
        for name in audience:
            if name in self._seats:
                self._seats[name].committed(record)

    async def hear(self) -> None:
        """Tell every node what was noted for it."""
        for voice in self._seats.values():
            await voice.hear()

    def close(self) -> None:
        """Forget the modules."""
        self._modules.unload()

    def _node(self, agent: AgentDefinition, overrides: Iterable[str]) -> Any:
        """The node: this imports the user's own class, as running it would."""
        roots = [str(self.project.root / base) for base in self.project.layout.import_roots]
        sys.path[:0] = roots
        try:
            made: Any = self._modules.load(agent.module)
            for part in agent.class_name.split("."):
                made = getattr(made, part)
            node = made()
        except (Exception, SystemExit) as e:
            raise ParticipantError(
                f"{agent.name} overrides {', '.join(overrides)} and so speaks for itself, but it cannot be made: "
                f"{type(e).__name__}: {e}. Mend {agent.source_file}, or take the override out."
            ) from e
        finally:
            for root in roots:
                if root in sys.path:
                    sys.path.remove(root)
        node.name = agent.name
        node.set_mode("build")
        return node


def _print(*values: Any, file: Any = None, **how: Any) -> None:
    """`print` as these modules see it: a build's stdout is the program's (`--json`), so it goes to stderr."""
    builtins.print(*values, file=sys.stderr if file is None else file, **how)
