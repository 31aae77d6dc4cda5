"""`build_project`: scan -> link -> negotiate -> commit -> artifacts. It reads as that story, and knows no details."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphbus_core import __version__
from graphbus_core.artifacts import ArtifactContents, write_artifacts
from graphbus_core.build.data_files import data_files
from graphbus_core.build.link import Linked, link_project
from graphbus_core.build.negotiate.seams import Hooks, Negotiated
from graphbus_core.build.scan import Project, scan
from graphbus_core.collector import quiet_collector
from graphbus_core.config import BuildConfig
from graphbus_core.files.build_lock import reading_lock
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.topic import Subscription, Topic


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
    linked: Linked | None = field(default=None, repr=False)
    dry_run: bool = False
    negotiation: Any = field(default=None, repr=False)
    data_files: tuple[str, ...] = ()  # where sources may read a file beside them, which no build holds

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
        with quiet_collector(), reading_lock(output):
            outcome = Negotiated(*_read(config, output), new_build_id(output))
            return _freeze(config, output, outcome)
    # Only a build with agents needs a negotiation.
    from graphbus_core.build.negotiate.resuming import taken_up
    from graphbus_core.build.orchestrator import negotiate

    if config.resume:
        config = taken_up(config)
    outcome = negotiate(config, *_read(config, output), hooks or Hooks())
    with quiet_collector():
        return _freeze(config, output, outcome)


def _settle(output: Path, hooks: Hooks) -> None:
    """A commit that was cut off is brought to its end before the sources are read and frozen."""
    if not os.path.lexists(output / "commit" / "journal"):
        return
    from graphbus_core.build.commit.land.settling import settle_alone  # only where there is something to settle

    if (said := settle_alone(output)) is not None:
        hooks.observe("notice", {"text": said, "warning": True})


def _read(config: BuildConfig, output: Path) -> tuple[Project, Linked]:
    with quiet_collector():
        project = scan(
            config.root_package,
            config.include_modules,
            config.exclude_modules,
            cache_file=output / "cache" / "scan.jsonl",
        ).within(config.whole_project)
        return project, link_project(project, keep=output / "cache" / "links.jsonl")


def new_build_id(output: Path) -> str:
    """An id in the form of seed 000 (`build-2026-02-20-153042`), longer where one of that second is there already."""
    made = time.strftime("build-%Y-%m-%d-%H%M%S", time.gmtime())
    taken, number = made, 1
    while (output / "negotiations" / f"{taken}.jsonl").exists():
        number += 1
        taken = f"{made}-{number}"
    return taken


def _freeze(config: BuildConfig, output: Path, outcome: Negotiated) -> BuildArtifacts:
    project, linked = outcome.project, outcome.linked
    beside = data_files(project.sources)
    summary = {
        "build_id": outcome.build_id,
        "built_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "root_package": config.root_package,
        "agents": len(project.agents),
        "topics": len(_topics(project)),
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
    write_artifacts(output, contents)
    return BuildArtifacts(
        graph=linked.graph,
        agents=list(project.agents),
        topics=_topics(project),
        subscriptions=[s for agent in project.agents for s in agent.subscriptions],
        negotiations=list(outcome.commits),
        modified_files=list(outcome.modified_files),
        output_dir=os.fspath(config.output_dir),
        build_id=outcome.build_id,
        root=str(project.root),
        linked=linked,
        dry_run=config.dry_run,
        negotiation=outcome.result,
        data_files=beside,
    )


def _topics(project: Project) -> list[Topic]:
    names = {p.topic.name for a in project.agents for p in a.publications}
    names |= {s.topic.name for a in project.agents for s in a.subscriptions}
    return [Topic(name) for name in sorted(names)]
