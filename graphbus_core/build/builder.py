"""`build_project`: scan -> link -> negotiate -> commit -> artifacts. It reads as that story, and knows no details."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphbus_core import __version__
from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.artifacts import ArtifactContents, list_handlers, write_artifacts
from graphbus_core.artifacts.build_ids import create_build_id
from graphbus_core.config import BuildConfig
from graphbus_core.gc_control import pause_garbage_collection
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.topic import Subscription, Topic
from graphbus_core.sessions.build.hooks import Hooks, NegotiationResult
from graphbus_core.storage.locks import hold_reading_lock
from graphbus_core.text import join_few

# Where the sources of a build read files beside themselves: those are not part of it, and the build says so.
#
# It looks at bytes, not at meaning: `__file__` in a message is named as well.


MAX_NAMED = 5  # of the places found
_READS = re.compile(
    rb"\b__file__\b|\bimportlib\.resources\b|\bfrom\s+importlib\s+import\b[^\n]*\bresources\b|\bpkgutil\.get_data\b"
)


def find_data_files(sources: Mapping[str, bytes]) -> tuple[str, ...]:
    """The places, as `path:line`, one a file at most, at which a source may read a file that stands beside it."""
    places = []
    likely = (p for p, c in sources.items() if b"__file__" in c or b"resources" in c or b"get_data" in c)
    for path in sorted(likely):
        for number, line in enumerate(sources[path].splitlines(), 1):
            if _READS.search(line.partition(b"#")[0]):
                places.append(f"{path}:{number}")
                break
    return tuple(places)


def explain_data_files(places: tuple[str, ...]) -> str:
    """What is said of them."""
    return (
        f"{join_few(places, MAX_NAMED)}: a file beside a module (`__file__`, importlib.resources) is not in "
        f"the build, which holds Python modules alone; give its path from outside (docs/build.md)."
    )


@dataclass
class BuildArtifacts:
    """What a build made (seed 002 §4.2). `negotiations` are the CommitRecords; `modified_files` are relative to the
    project's root. `linked` holds the mismatches that are left, `negotiation` what the orchestrator tells beside."""

    graph: AgentGraph
    agents: list[AgentDefinition]
    topics: list[Topic]
    subscriptions: list[Subscription]
    negotiations: list[Any]
    modified_files: list[str]
    output_dir: str
    build_id: str = ""
    root: str = ""
    linked: LinkResult | None = field(default=None, repr=False)
    dry_run: bool = False
    negotiation: Any = field(default=None, repr=False)
    data_files: tuple[str, ...] = ()  # where sources may read a file beside them, which no build holds
    gone_handlers: tuple[str, ...] = ()  # that the build before this one in its folder had, as "Node.handler /Topic"

    @property
    def agents_count(self) -> int:
        """How many agents were built."""
        return len(self.agents)

    @property
    def topics_count(self) -> int:
        """How many topics they share."""
        return len(self.topics)


def build_project(
    config: BuildConfig, hooks: Hooks | None = None, *, enable_agents: bool | None = None
) -> BuildArtifacts:
    """Build a project. Sources are edited only where `config.agents_enabled`.

    `enable_agents` here is how programs for graphbus-core 0.5 say it. From a coroutine or a notebook it blocks as from
    anywhere else, and negotiates in a thread. Raises ConfigError, ScanError and ArtifactError (all UsageError), each
    with what to do next; Locked where another build of the project negotiates.
    """
    # Made anew: what was set after the config was made (programs for 0.5 set `llm_config` to a dict) is looked at too.
    config = replace(config, enable_agents=config.enable_agents if enable_agents is None else enable_agents)
    output = Path(config.output_dir)
    if not config.agents_enabled:
        _settle(output, hooks or Hooks())
        with pause_garbage_collection(), hold_reading_lock(output):
            outcome = NegotiationResult(*_scan_and_link(config, output), create_build_id(output))
            return _freeze(config, output, outcome)
    # Only a build with agents needs a negotiation.
    from graphbus_core.sessions.build.orchestrator import negotiate
    from graphbus_core.sessions.build.resumption import restore_config

    if config.resume:
        config = restore_config(config)
    outcome = negotiate(config, *_scan_and_link(config, output), hooks or Hooks())
    with pause_garbage_collection():
        return _freeze(config, output, outcome)


def _settle(output: Path, hooks: Hooks) -> None:
    """A commit that was cut off is brought to its end before the sources are read and frozen."""
    if not os.path.lexists(output / "commit" / "journal"):
        return
    from graphbus_core.commit.transaction import settle_output_folder  # only where there is something to settle

    if (notice := settle_output_folder(output)) is not None:
        hooks.observe("notice", {"text": notice, "warning": True})


def _scan_and_link(config: BuildConfig, output: Path) -> tuple[Project, LinkResult]:
    with pause_garbage_collection():
        project = scan(
            config.root_package,
            config.include_modules,
            config.exclude_modules,
            cache_file=output / "cache" / "scan.jsonl",
        ).with_whole_folder(config.whole_project)
        return project, link_project(project, keep=output / "cache" / "links.jsonl")


def _freeze(config: BuildConfig, output: Path, outcome: NegotiationResult) -> BuildArtifacts:
    project, linked = outcome.project, outcome.linked
    beside = find_data_files(project.sources)
    summary = {
        "build_id": outcome.build_id,
        "built_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "root_package": config.root_package,
        "agents": len(project.agents),
        "topics": len(_collect_topics(project)),
        "subscriptions": sum(len(a.subscriptions) for a in project.agents),
        "activation_order": linked.graph.get_agent_activation_order(),
        **linked.to_dict(),
        "links": len(linked.links),
        "modified_files": list(outcome.modified_files),
        "negotiation": outcome.summary or None,
        "data_files": list(beside),
    }
    contents = ArtifactContents(
        project.everyone,
        linked.graph,
        project.sources,
        project.modules,
        summary,
        graphbus_version=__version__,
        digests={path: project.files[path] for path in project.sources},
        agent_texts=project.texts,
    )
    subscriptions = [s for agent in project.agents for s in agent.subscriptions]
    gone_handlers = list_handlers(output) - {f"{s.node_name}.{s.handler_name} {s.topic.name}" for s in subscriptions}
    write_artifacts(output, contents)
    return BuildArtifacts(
        graph=linked.graph,
        agents=list(project.agents),
        topics=_collect_topics(project),
        subscriptions=subscriptions,
        negotiations=list(outcome.commits),
        modified_files=list(outcome.modified_files),
        output_dir=os.fspath(config.output_dir),
        build_id=outcome.build_id,
        root=str(project.root),
        linked=linked,
        dry_run=config.dry_run,
        negotiation=outcome.result,
        data_files=beside,
        gone_handlers=tuple(sorted(gone_handlers)),
    )


def _collect_topics(project: Project) -> list[Topic]:
    names = {p.topic.name for a in project.agents for p in a.publications}
    names |= {s.topic.name for a in project.agents for s in a.subscriptions}
    return [Topic(name) for name in sorted(names)]
