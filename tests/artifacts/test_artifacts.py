"""The `.graphbus/` folder: what is written can be read, and what was altered is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.artifacts import ArtifactContents, ArtifactFolder, FrozenModule, Manifest, write_artifacts
from graphbus_core.artifacts.folder import compute_digest, to_json
from graphbus_core.errors import ArtifactError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Edge, Endpoint, Link, LinkOrigin
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Schema, SchemaMethod
from graphbus_core.model.topic import Publication, Subscription, Topic

PAYLOAD = Schema({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}, '{"n": int}')


def contents(sources: dict[str, bytes] | None = None) -> ArtifactContents:
    agents = [
        AgentDefinition(
            "A",
            "agents.a",
            "A",
            "agents/a.py",
            "class A: ...",
            SystemPrompt("make é numbers"),
            methods=(SchemaMethod("make", None, PAYLOAD),),
            publications=(Publication("A", Topic("/N"), PAYLOAD, "make", 3),),
        ),
        AgentDefinition(
            "B",
            "agents.b",
            "B",
            "agents/b.py",
            "class B: ...",
            SystemPrompt("b"),
            subscriptions=(Subscription("B", Topic("/N"), "on_n"),),
        ),
    ]
    link = Link(Endpoint("A", topic="/N"), Endpoint("B", "on_n"), LinkOrigin.TOPIC)
    return ArtifactContents(
        agents,
        AgentGraph({"A": {"node_name": "A"}, "B": {"node_name": "B"}}, [Edge("A", "B", "topic")], [link]),
        {"agents/a.py": b"class A: ...\r\n", "agents/b.py": b"class B: ..."} if sources is None else sources,
        [FrozenModule("agents", None, True), FrozenModule("agents.a", "agents/a.py", False)],
        {"build_id": "build-x"},
        "0.1.0",
    )


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    """Agents, graph, links, topics and modules come back equal, sources byte for byte."""
    given = contents()
    manifest = write_artifacts(tmp_path / "out", given)
    folder = ArtifactFolder(tmp_path / "out")
    assert folder.manifest == manifest
    assert list(folder.agents) == list(given.agents)
    assert folder.graph.to_dict() == given.graph.to_dict()
    assert folder.graph.links == given.graph.links
    assert folder.graph.get_agent_activation_order() == ["A", "B"]
    assert [t["name"] for t in folder.topics] == ["/N"]
    assert folder.topics[0]["schema"] == PAYLOAD.to_dict()
    assert folder.subscriptions == given.agents[1].subscriptions
    assert folder.publications == given.agents[0].publications
    assert folder.modules["agents"].file is None
    module_file = folder.modules["agents.a"].file
    assert module_file is not None
    assert folder.read_file(module_file) == b"class A: ...\r\n"
    assert folder.verify() == []


def test_the_graph_is_networkx_node_link(tmp_path: Path) -> None:
    """Anyone with networkx can read graph.json."""
    import networkx as nx

    write_artifacts(tmp_path, contents())
    graph = nx.node_link_graph(json.loads((tmp_path / "graph.json").read_text("utf-8")), edges="edges")
    assert list(graph.edges(data="edge_type")) == [("A", "B", "topic")]


def test_the_same_build_gives_the_same_bytes(tmp_path: Path) -> None:
    """Nothing in the files depends on when or where they were written."""
    write_artifacts(tmp_path / "one", contents())
    write_artifacts(tmp_path / "two", contents())
    for path in (tmp_path / "one").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


@pytest.mark.parametrize("name", ["graph.json", "agents.json", "topics.json", "schemas.json", "sources/agents/a.py"])
def test_one_altered_byte_is_refused_by_name(tmp_path: Path, name: str) -> None:
    """Any byte of any file that is read; also one that leaves the JSON the same."""
    write_artifacts(tmp_path, contents())
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b" ")
    folder = ArtifactFolder(tmp_path)
    with pytest.raises(ArtifactError, match=name):
        folder.read_file(name)
    assert len(folder.verify()) == 1


def test_every_byte_of_the_manifest_counts(tmp_path: Path) -> None:
    """The manifest vouches for itself: no flipped byte goes unseen."""
    write_artifacts(tmp_path, contents())
    whole = (tmp_path / "manifest.json").read_bytes()
    for at in range(len(whole)):
        (tmp_path / "manifest.json").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(ArtifactError, match=r"manifest\.json"):
            ArtifactFolder(tmp_path)
    (tmp_path / "manifest.json").write_bytes(whole + b"\n")
    with pytest.raises(ArtifactError, match=r"manifest\.json"):
        ArtifactFolder(tmp_path)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    """And says which GraphBus made it."""
    write_artifacts(tmp_path, contents())
    newer = Manifest({}, {}, "9.9", version=3).to_bytes()
    (tmp_path / "manifest.json").write_bytes(newer)
    with pytest.raises(ArtifactError, match=r"format version 3.*9\.9"):
        ArtifactFolder(tmp_path)


@pytest.mark.parametrize("make", [False, True])
def test_no_build_is_said_so(tmp_path: Path, make: bool) -> None:
    """A folder that is not there, and one that holds no build."""
    if make:
        (tmp_path / "out").mkdir()
    with pytest.raises(ArtifactError, match="graphbus build"):
        ArtifactFolder(tmp_path / "out")


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    """A build that lost a file does not run."""
    write_artifacts(tmp_path, contents())
    (tmp_path / "agents.json").unlink()
    with pytest.raises(ArtifactError, match=r"agents\.json is missing"):
        _ = ArtifactFolder(tmp_path).agents


def test_a_rebuild_drops_sources_that_are_gone_and_nothing_else(tmp_path: Path) -> None:
    """Only what the last manifest lists is ever removed."""
    write_artifacts(tmp_path, contents())
    (tmp_path / "negotiations").mkdir()
    (tmp_path / "sources" / "mine.txt").write_text("keep")
    write_artifacts(tmp_path, contents({"agents/a.py": b"x"}))
    assert not (tmp_path / "sources/agents/b.py").exists()
    assert (tmp_path / "sources/mine.txt").exists()
    assert (tmp_path / "negotiations").is_dir()
    assert ArtifactFolder(tmp_path).verify() == []


def test_unchanged_files_are_not_written_again(tmp_path: Path) -> None:
    """A rebuild of 1,000 agents writes what changed; an altered file is put right."""
    write_artifacts(tmp_path, contents())
    before = (tmp_path / "sources/agents/b.py").stat().st_mtime_ns
    (tmp_path / "sources/agents/a.py").write_text("altered")
    write_artifacts(tmp_path, contents())
    assert (tmp_path / "sources/agents/b.py").stat().st_mtime_ns == before
    assert ArtifactFolder(tmp_path).verify() == []


def test_the_canonical_form_is_json() -> None:
    """In the order given, an item a line, and digests are sha256."""
    value = {"b": [1, {"z": "é", "a": None}], "a": {}}
    assert json.loads(to_json(value)) == value
    assert to_json(value).decode().splitlines()[-1] == '"a": {}}'
    assert compute_digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_topic_of_two_payloads_carries_either(tmp_path: Path) -> None:
    """What one publisher declares must not make the other's payloads wrong."""
    text = Schema({"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]})
    given = contents()
    agents = [
        *given.agents,
        AgentDefinition(
            "C", "c", "C", "c.py", "", SystemPrompt(""), publications=(Publication("C", Topic("/N"), text),)
        ),
    ]
    write_artifacts(tmp_path, ArtifactContents(agents, given.graph, given.sources, given.modules))
    (topic,) = ArtifactFolder(tmp_path).topics
    assert topic["schema"]["json_schema"] == {"anyOf": [PAYLOAD.json_schema, text.json_schema]}
    assert topic["publishers"] == ["A", "C"]
