"""`ArtifactLoader`: what was built, as the runtime wants it (seed 002 §5.2). The folder is `artifacts`' matter."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.artifacts.private_modules import PrivateModules
from graphbus_core.errors import UnknownNode
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.topic import Topic
from graphbus_core.runtime.topics import suggest_nearest
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.signing import derive_seal, read_sealed_file

# Compiled code of frozen modules, kept between runs: compiling is half of the start of a thousand nodes.
#
# The file holds code that runs, and it lies in `.graphbus/`, where an archive or another program may put one. So it is
# sealed (`files.seal`): what this user did not write on this machine is not even unmarshalled, and the next run writes
# its own over it. Where no key can be kept, nothing is. Code is looked up by the digest of its source, which was
# verified against the manifest. It is written when a first run of a large build stops, and may be deleted at any time.


MIN_CACHED_MODULES = 50  # modules; below, compiling takes a few milliseconds
PURPOSE = "compiled code"


class CodeCache:
    """The compiled modules of one folder, for this Python."""

    def __init__(self, folder: Path) -> None:
        self._root = os.path.abspath(folder)
        name = f"code-{sys.implementation.cache_tag}-{sys.flags.optimize}.bin"
        self.file = folder / "runtime" / name
        # The name is sealed too: code of `python -O`, put under the plain name, would run without its assertions.
        self._made_for = (MAGIC_NUMBER, name, self._root)
        self._codes: dict[str, CodeType] = self._load()
        self._used: dict[str, CodeType] = {}
        self._compiled = 0

    def compile(self, source: bytes, digest: str, path: str) -> CodeType:
        """The code of a source with that digest. `path` is where it stands, relative to the folder."""
        key = f"{digest} {path}"
        code = self._codes.get(key)
        if code is None:
            code = compile(source, f"{self._root}/{path}", "exec", dont_inherit=True)
            self._compiled += 1
        self._used[key] = code
        return code

    def save(self) -> None:
        """Keep what was compiled, where that is worth it, a key can be kept and the folder may be written."""
        if not self._compiled or len(self._used) < MIN_CACHED_MODULES:
            return
        self._compiled = 0
        seal = derive_seal(PURPOSE)
        if seal is None:
            return
        content = seal.wrap(marshal.dumps((self._made_for, self._used)))
        try:
            self.file.parent.mkdir(exist_ok=True)
            write_atomic(self.file, content)
        except OSError:
            return  # a folder that is only read: the next run compiles again

    def _load(self) -> dict[str, CodeType]:
        body = read_sealed_file(self.file, PURPOSE)
        if body is None:
            return {}
        made_for, codes = marshal.loads(body)
        return codes if made_for == self._made_for else {}


# Imports the modules of a build from its frozen sources, apart from everything else (`artifacts.importing`).
#
# Sources are read and verified before the first of them runs.


class FrozenModules(PrivateModules):
    """The modules of one build, importable under the names they had when they were built."""

    missing = (
        "in this build: when the project was built it was not there, or nobody imported it. "
        "Build again with `graphbus build`."
    )

    def __init__(self, folder: ArtifactFolder) -> None:
        self._digests = folder.manifest.files
        self._cache = CodeCache(folder.path)
        sources = {m.file: folder.read_file(m.file) for m in folder.modules.values() if m.file}
        super().__init__(folder.modules, sources, os.path.abspath(folder.path))

    def save_code(self) -> None:
        """Keep what was compiled so far for the next run."""
        self._cache.save()

    def compile(self, file: str, source: bytes) -> CodeType:
        """The code of one file, whose source was verified by its digest."""
        return self._cache.compile(source, self._digests[file], file)

    def take_over(self, running: FrozenModules | None, names: Iterable[str]) -> None:
        """Use the modules of a running build that are what they were: what they hold stays one, for all nodes."""
        if running is None:
            return
        for name in sorted(names):  # packages before what is in them
            module = sys.modules.get(f"{running.prefix}.{name}")
            if module is None or self._modules[name].file is None:
                continue
            sys.modules[f"{self.prefix}.{name}"] = module
            parent, _, own = name.rpartition(".")
            package = import_module(f"{self.prefix}.{parent}" if parent else self.prefix)
            setattr(package, own, module)

    def give_back(self, running: FrozenModules) -> None:
        """Undo what importing these modules did to packages of the running build: they name their own again."""
        for name in self._modules:
            parent, _, own = name.rpartition(".")
            package = sys.modules.get(f"{running.prefix}.{parent}") if parent else None
            before = sys.modules.get(f"{running.prefix}.{name}")
            if package is not None and before is not None and getattr(package, own, None) is not before:
                setattr(package, own, before)

    def uses(self, other: FrozenModules) -> bool:
        """Whether any module that the other set loaded is in use here, and not only one that it took over itself."""
        for name in self._modules:
            mine = sys.modules.get(f"{self.prefix}.{name}")
            if mine is not None and mine is sys.modules.get(f"{other.prefix}.{name}"):
                spec = getattr(mine, "__spec__", None)  # a stand-in has none
                if spec is None or spec.name.startswith(f"{other.prefix}."):
                    return True
        return False


@dataclass(frozen=True)
class TopicData(Topic):
    """A topic of the build: its payload as JSON Schema (None: not declared), who publishes and who listens."""

    schema: dict[str, Any] | None = None
    publishers: tuple[str, ...] = ()
    subscribers: tuple[str, ...] = ()


class SubscriptionData(dict[str, Any]):
    """A subscription as seed 002 §5.5 reads it, `["agent"]`, and as a `model.topic.Subscription`, `.node_name`."""

    @property
    def node_name(self) -> str:
        """Whose handler it is."""
        return str(self["agent"])

    @property
    def topic(self) -> Topic:
        """What it listens to."""
        return Topic(self["topic"])

    @property
    def handler_name(self) -> str:
        """The method that is called."""
        return str(self["handler"])


class ArtifactLoader:
    """Reads one build. Raises ArtifactError, with the file's name, if something is missing, altered or newer."""

    def __init__(self, artifacts_dir: str | Path) -> None:
        self.artifacts_dir = Path(artifacts_dir)
        self.folder = ArtifactFolder(self.artifacts_dir)

    def load_graph(self) -> AgentGraph:
        """Who needs whom; `.graph` is the networkx graph."""
        return self.folder.graph

    def load_agents(self) -> list[AgentDefinition]:
        """Every agent, with its source."""
        return list(self.folder.agents)

    def load_topics(self) -> list[TopicData]:
        """Every topic that somebody publishes to or listens to."""
        listeners: dict[str, list[str]] = {}
        for subscription in self.folder.subscriptions:
            listeners.setdefault(subscription.topic.name, []).append(subscription.node_name)
        return [
            TopicData(
                topic["name"],
                topic["schema"]["json_schema"] if topic["schema"] else None,
                tuple(topic["publishers"]),
                tuple(listeners.get(topic["name"], ())),
            )
            for topic in self.folder.topics
        ]

    def load_subscriptions(self) -> list[dict[str, Any]]:
        """Who is called with what: `{"agent": …, "topic": …, "handler": …}`."""
        return [SubscriptionData(subscription.to_dict()) for subscription in self.folder.subscriptions]

    def load_build_summary(self) -> dict[str, Any]:
        """What the build said about itself."""
        return self.folder.summary

    def load_all(self) -> tuple[AgentGraph, list[AgentDefinition], list[TopicData], list[dict[str, Any]]]:
        """Graph, agents, topics, subscriptions."""
        return self.load_graph(), self.load_agents(), self.load_topics(), self.load_subscriptions()

    def get_agent_by_name(self, name: str) -> AgentDefinition:
        """The agent of that name. Raises UnknownNode (a ValueError), with the nearest."""
        agents = {agent.name: agent for agent in self.folder.agents}
        if name not in agents:
            raise UnknownNode(f"Agent '{name}' not found in {self.artifacts_dir}.{suggest_nearest(name, agents)}")
        return agents[name]

    def validate_artifacts(self) -> list[str]:
        """What is wrong with the build, one sentence each; empty when it can run."""
        issues = self.folder.verify()
        if issues:
            return issues
        names = {agent.name for agent in self.folder.agents}
        issues += [
            f"{s.topic} is subscribed to by '{s.node_name}', and there is no such agent."
            for s in self.folder.subscriptions
            if s.node_name not in names
        ]
        issues += [
            f"The graph does not hold the agent '{name}'." for name in sorted(names) if name not in self.folder.graph
        ]
        modules = self.folder.modules
        issues += [
            f"The module {agent.module} of '{agent.name}' is not among the frozen sources."
            for agent in self.folder.agents
            if agent.module not in modules
        ]
        return issues
