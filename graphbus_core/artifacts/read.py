"""Reads `.graphbus/` back. Nothing is believed before its digest was compared with the manifest's."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import format as form
from graphbus_core.errors import ArtifactError, ArtifactMissing
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.topic import Publication, Subscription

AGAIN = "Build again with `graphbus build`."


class ArtifactFolder:
    """One build on disk. Every reading method raises ArtifactError, with the file's name, on a file that is missing
    or not as it was built."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            raise ArtifactMissing(f"There is no folder {self.path}. Build the project first: `graphbus build PATH`.")
        self.manifest = self._read_manifest()
        self._verified: set[str] = set()

    def read(self, name: str) -> bytes:
        """The bytes of one file of the build, verified."""
        expected = self.manifest.files.get(name)
        if expected is None:
            raise ArtifactError(f"{self.path / name} is not part of this build. {AGAIN}")
        content = self._bytes(name)
        if form.digest(content) != expected:
            raise ArtifactError(
                f"{self.path / name} is not as it was built: it was altered, or a build was interrupted. {AGAIN}"
            )
        self._verified.add(name)
        return content

    def read_rest(self) -> None:
        """Verify every file that was not read yet. Raises ArtifactError for the first that is not as it was built."""
        for name in self.manifest.files:
            if name not in self._verified:
                self.read(name)

    def read_json(self, name: str) -> Any:
        """One JSON file of the build, verified and parsed."""
        return json.loads(self.read(name).decode("utf-8", "surrogatepass"))

    def verify(self) -> list[str]:
        """What is wrong with the folder, one sentence a file; empty when all is as it was built."""
        wrong = []
        for name in self.manifest.files:
            try:
                self.read(name)
            except ArtifactError as e:
                wrong.append(str(e))
        return wrong

    @property
    def modules(self) -> dict[str, form.FrozenModule]:
        """Dotted name -> the frozen module; `read(module.file)` is its source."""
        return dict(self.manifest.modules)

    @cached_property
    def graph(self) -> AgentGraph:
        """Who needs whom."""
        return AgentGraph.from_dict(self.read_json(form.GRAPH))

    @cached_property
    def agents(self) -> tuple[AgentDefinition, ...]:
        """Every agent of the build, in the order of `agents.json`."""
        return tuple(one for one in self.everyone if not one.is_external)

    @cached_property
    def everyone(self) -> tuple[AgentDefinition, ...]:
        """The same with what is written elsewhere, which stands in the graph and is never run."""
        return tuple(AgentDefinition.from_dict(agent) for agent in self.read_json(form.AGENTS))

    @cached_property
    def topics(self) -> list[dict[str, Any]]:
        """Every topic: `name`, `schema` (None where no payload was declared), `publishers`."""
        return list(self._topics["topics"])

    @cached_property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """Who is called with the events of which topic."""
        return tuple(Subscription.from_dict(s) for s in self._topics["subscriptions"])

    @cached_property
    def publications(self) -> tuple[Publication, ...]:
        """Who publishes to which topic."""
        return tuple(Publication.from_dict(p) for p in self._topics["publications"])

    @cached_property
    def schemas(self) -> dict[str, Any]:
        """Node -> method -> `input` and `output` as JSON Schema, None where undeclared."""
        return dict(self.read_json(form.SCHEMAS))

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `build_summary.json` says."""
        return dict(self.read_json(form.BUILD_SUMMARY))

    @cached_property
    def _topics(self) -> dict[str, Any]:
        return dict(self.read_json(form.TOPICS))

    def _bytes(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise ArtifactMissing(f"{self.path / name} is missing. {AGAIN}") from None
        except OSError as e:
            raise ArtifactError(f"{self.path / name} cannot be read: {e.strerror}. {AGAIN}") from None

    def _read_manifest(self) -> form.Manifest:
        if not (self.path / form.MANIFEST).exists():
            raise ArtifactMissing(
                f"{self.path} holds no build: {form.MANIFEST} is missing. Build first: `graphbus build PATH`."
            )
        content = self._bytes(form.MANIFEST)
        where = self.path / form.MANIFEST
        altered = ArtifactError(f"{where} is not as it was built: it was altered. {AGAIN}")
        try:
            data = json.loads(content)
        except ValueError:
            raise altered from None
        if not isinstance(data, dict) or data.get("format") != form.FORMAT:
            raise altered
        version = data.get("version")
        # Before the fields are looked at: a later format may lack what we want, and "altered" would be the wrong word.
        if isinstance(version, int) and version > form.FORMAT_VERSION:
            raise ArtifactError(
                f"{where} is of format version {version}; this GraphBus reads up to {form.FORMAT_VERSION}. "
                f"It was built by GraphBus {data.get('graphbus')}: upgrade, or build again with this one."
            )
        try:
            manifest = form.Manifest.from_dict(data)
        except (KeyError, TypeError, AttributeError):
            raise altered from None
        # Written again, it must be the same bytes: an edit that only moves a space is an edit, and a field that we
        # would not have written is not ours. The manifest holds the digests of all else; nothing vouches for it.
        if version != form.FORMAT_VERSION or manifest.to_bytes() != content:
            raise altered
        return manifest
