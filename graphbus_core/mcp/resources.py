"""What an MCP client may read: the documents that were joined, and the project as it is. It changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.mcp.tables import DocumentTable
from graphbus_core.mcp.talk import Talk, guarded
from graphbus_core.workspace.does.changes import Changes
from graphbus_core.workspace.shows import BUILD_SUMMARY, MANIFEST
from graphbus_core.workspace.shows.as_json import json_text
from graphbus_core.workspace.shows.negotiations import NegotiationShelf
from graphbus_core.workspace.shows.project import ProjectView
from graphbus_core.workspace.tables import Shown, briefed

NO_BUILD = "There is no build yet: run `graphbus build`."
NO_DOCUMENT = "No document was joined."


class Resources:
    """The resources. `project` is None where nothing was built yet."""

    def __init__(self, output: Path, project: ProjectView | None, shelf: NegotiationShelf) -> None:
        self.output = output
        self.project = project
        self.shelf = shelf
        self.talk: Talk | None = None

    @classmethod
    def of(cls, talk: Talk) -> Resources:
        """Of the project that is talked about, as its last build left it."""
        made = cls(talk.output, ProjectView(None, talk.output), NegotiationShelf(talk.output, ()))
        made.talk = talk
        return made

    def topic(self) -> str:
        """What is negotiated in the documents that you joined."""
        # Every document that was joined: a client with two seats is told of both.
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

    async def try_change(self, diff: list[dict[str, Any]]) -> dict[str, Any]:
        """What would become of a diff (a list of operations) before anybody is asked about it: whether it passes the
        gates, its text, the links that it mends and breaks, who must agree. Nothing is written."""
        return await guarded(lambda: self._tried(diff))

    def _tried(self, diff: list[dict[str, Any]]) -> Mapping[str, Any]:
        sources = self._sources()
        if sources is None:
            raise UsageError(NO_BUILD)
        return Changes(ProjectView(sources, self.output), self.output, lambda: False).try_diff(diff)

    def _sources(self) -> Path | None:
        """The folder of the agents: the project's own, or the one that the last build was made of."""
        if self.project is not None and self.project.project_path is not None:
            return self.project.project_path
        # Of the output folder and never of a build's own: what is tried must not touch what is running.
        built = _said(self.output / BUILD_SUMMARY) or self._negotiated()
        if not built:
            return None
        folder = self.output.absolute().parent
        # Older builds named a folder, newer ones a package. Whichever is there is meant.
        places = [folder / str(built), folder / str(built).replace(".", "/")]  # a folder, or a dotted package
        return next((place for place in places if place.is_dir()), None)

    def _negotiated(self) -> str:
        """What the newest negotiation is about: whoever sits at a project's first build has no build yet to ask."""
        logs = sorted((self.output / "negotiations").glob("build-*[0-9].jsonl"))
        return _said(logs[-1], "asked") if logs else ""

    def why(self, symbol: str) -> str:
        """Every proposal that made `Node`, `Node.method` or `Node.method.field` what it is, newest first."""
        try:
            return json_text(self.shelf.why(symbol))
        except GraphBusError as e:
            # A resource has no place for an error, so it is told as what was read.
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


def _said(path: Path, *under: str) -> str:
    """The `root_package` that the first line of a file says, or the file as one object; "" where it says none."""
    try:
        with path.open(encoding="utf-8") as file:
            said = json.loads(file.readline() if under else file.read())
        for key in under:
            said = said[key]
        return str(said["root_package"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
