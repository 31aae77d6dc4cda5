"""What an MCP client may read: the documents that were joined, and the project as it is. It changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import MANIFEST
from graphbus_core.document.brief import Shown
from graphbus_core.document.brief import told as briefed
from graphbus_core.errors import GraphBusError
from graphbus_core.mcp.tables import DocumentTable
from graphbus_core.mcp.talk import Talk
from graphbus_core.workspace.shows.negotiations import NegotiationShelf
from graphbus_core.workspace.shows.plain import json_text
from graphbus_core.workspace.shows.project import ProjectView

NO_BUILD = "There is no build yet: run `graphbus build`."
NO_DOCUMENT = "No document was joined."


class Reading:
    """The resources. `project` is None where nothing was built yet."""

    def __init__(self, output: Path, project: ProjectView | None, shelf: NegotiationShelf) -> None:
        self.output = output
        self.project = project
        self.shelf = shelf
        self.talk: Talk | None = None

    @classmethod
    def of(cls, project: Path, talk: Talk) -> Reading:
        """Of a project's folder, as its last build left it."""
        output = project / ".graphbus"
        made = cls(output, ProjectView(None, output), NegotiationShelf(output, ()))
        made.talk = talk
        return made

    def topic(self) -> str:
        """What is negotiated in the documents that you joined."""
        return "\n\n".join(table.where.look().topic for table in self._documents()) or NO_DOCUMENT

    def issues(self) -> str:
        """Every issue of the documents that you joined, with its state, offers and decision."""
        said = [briefed(table.where.look(), table.name, Shown()) for table in self._documents()]
        return "\n\n".join(said) or NO_DOCUMENT

    def graph(self) -> str:
        """The project's agents and links."""
        return self._of_project(lambda view: view.graph())

    def mismatches(self) -> str:
        """Every link that does not fit, with the payload that proves it."""
        return self._of_project(lambda view: view.mismatches())

    def contracts(self) -> str:
        """What each agent takes and gives."""
        return self._of_project(lambda view: {node["name"]: view.node(node["name"]) for node in view.nodes()})

    def why(self, symbol: str) -> str:
        """Every proposal that made `Node`, `Node.method` or `Node.method.field` what it is, newest first."""
        try:
            return json_text(self.shelf.why(symbol))
        except GraphBusError as e:
            return json.dumps({"error": str(e)})

    def _of_project(self, look: Callable[[ProjectView], Any]) -> str:
        if self.project is None or (self.project.project_path is None and not (self.output / MANIFEST).exists()):
            return NO_BUILD
        try:
            return json_text(look(self.project))
        except GraphBusError as e:
            return json.dumps({"error": str(e)})

    def _documents(self) -> list[DocumentTable]:
        return self.talk.documents() if self.talk is not None else []
