"""The static build: from a package to artifacts that hold what will run; sources are never edited."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from graphbus_core.artifacts import BUILD_SUMMARY, ArtifactFolder
from graphbus_core.artifacts.build_ids import create_build_id
from graphbus_core.build import BuildConfig, GraphBuilder, MetadataExtractor, NodeScanner, build_project
from graphbus_core.build.__main__ import main as module
from graphbus_core.build.builder import BuildArtifacts
from graphbus_core.cli.examples import example
from graphbus_core.errors import ArtifactError


@pytest.fixture
def hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the hello example, with the working directory in it."""
    folder = Path(shutil.copytree(example("hello"), tmp_path / "hello"))
    monkeypatch.chdir(folder)
    return folder


def test_a_build_gives_the_fields_of_the_seed_and_leaves_sources_alone(hello: Path) -> None:
    """Seed 002 §4.2: graph, agents, topics, subscriptions, negotiations, modified_files, output_dir."""
    before = {p: p.read_bytes() for p in hello.rglob("*.py")}
    made = build_project(BuildConfig(root_package="agents", output_dir=".graphbus"))
    assert isinstance(made, BuildArtifacts)
    assert [a.name for a in made.agents] == ["Greeter", "GuestBook"]
    assert made.graph.get_agent_activation_order() == ["Greeter", "GuestBook"]
    assert [t.name for t in made.topics] == ["/Hello/Asked", "/Hello/Greeted"]
    assert len(made.subscriptions) == 2
    assert made.negotiations == []
    assert made.modified_files == []
    assert made.output_dir == ".graphbus"
    assert before == {p: p.read_bytes() for p in hello.rglob("*.py") if ".graphbus" not in p.parts}
    folder = ArtifactFolder(".graphbus")
    assert folder.verify() == []
    assert list(folder.agents) == made.agents
    assert folder.summary["build_id"] == made.build_id
    assert folder.read_file("sources/agents/hello.py") == before[hello / "agents/hello.py"]


def test_the_names_of_the_seed_are_importable() -> None:
    """Design §3: where the thing exists, its name does."""
    assert {NodeScanner.__name__, MetadataExtractor.__name__, GraphBuilder.__name__} == {
        "NodeScanner",
        "MetadataExtractor",
        "GraphBuilder",
    }


def test_builds_of_one_second_have_ids_of_their_own(tmp_path: Path) -> None:
    """Also where none of them negotiated: then the summary of the last one is all that is kept."""
    now = datetime(2026, 2, 20, 15, 30, 42)
    found = []
    for _ in range(3):
        found.append(create_build_id(tmp_path, now))
        (tmp_path / BUILD_SUMMARY).write_text(json.dumps({"build_id": found[-1]}))
    assert found == ["build-2026-02-20-153042", "build-2026-02-20-153042-2", "build-2026-02-20-153042-3"]
    (tmp_path / BUILD_SUMMARY).write_text("[]")  # not a summary: nothing is taken
    assert create_build_id(tmp_path, now) == found[0]


def test_two_builds_differ_in_id_and_time_alone(hello: Path) -> None:
    """Same sources, same bytes."""
    for name in ("one", "two"):
        build_project(BuildConfig(root_package="agents", output_dir=name))
    written = {p.relative_to(hello / "one") for p in (hello / "one").rglob("*") if p.is_file()}
    names = {p for p in written if p.name not in ("build_summary.json", "manifest.json") and p.parts[0] != "cache"}
    assert names == {p for p in names if (hello / "two" / p).is_file()}
    for name in names:
        assert (hello / "one" / name).read_bytes() == (hello / "two" / name).read_bytes()


def test_a_build_from_the_cache_is_the_same_build(hello: Path) -> None:
    """Also when a class is referred to by itself rather than by name, and after an edit."""
    extra = "from graphbus_core import GraphBusNode, depends_on\nfrom agents.hello import Greeter\n"
    extra += "@depends_on(Greeter)\nclass Fan(GraphBusNode):\n    SYSTEM_PROMPT = 'ü'\n"
    (hello / "agents" / "fan.py").write_text(extra, "utf-8")
    for _ in range(2):
        build_project(BuildConfig(root_package="agents", output_dir="warm"))
    (hello / "agents" / "fan.py").write_text(extra.replace("ü", "ö"), "utf-8")
    build_project(BuildConfig(root_package="agents", output_dir="warm"))
    build_project(BuildConfig(root_package="agents", output_dir="cold"))
    for name in ("agents.json", "graph.json", "schemas.json", "topics.json", "sources/agents/fan.py"):
        assert (hello / "warm" / name).read_bytes() == (hello / "cold" / name).read_bytes()
    assert ArtifactFolder("warm").verify() == []


def test_a_build_inside_the_project_is_no_source_of_the_next(hello: Path) -> None:
    """Whatever the folder's name: frozen sources are not scanned."""
    for _ in range(2):
        made = build_project(BuildConfig(root_package=".", output_dir="agents/out"))
        assert [a.name for a in made.agents] == ["Greeter", "GuestBook"]


def test_an_output_that_cannot_be_written_is_said_so(hello: Path) -> None:
    """A file stands where the folder should be."""
    (hello / "out").write_text("mine")
    with pytest.raises(ArtifactError, match="--output-dir"):
        build_project(BuildConfig(root_package="agents", output_dir="out"))
    assert (hello / "out").read_text() == "mine"


def test_python_m_build(hello: Path) -> None:
    """Seed 002 §8.1: `python -m graphbus_core.build --root PKG`; errors are one paragraph and exit code 2."""
    command = [sys.executable, "-m", "graphbus_core.build", "--root"]
    done = subprocess.run([*command, "agents"], cwd=hello, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 agents" in done.stdout
    assert (hello / ".graphbus" / "manifest.json").exists()
    failed = subprocess.run([*command, "nope"], cwd=hello, capture_output=True, text=True)
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1
    assert "nope" in failed.stderr


def test_the_build_module_takes_the_road_of_the_command(hello: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its settings and its refusals too; it has one word of its own for the path, and a model seats itself."""
    (hello / "pyproject.toml").write_text('[tool.graphbus]\noutput_dir = "out"\n')
    assert module(["--root=agents"]) == 0
    assert "into out" in capsys.readouterr().out
    # What is said goes before the settings, also where it is what would hold without them.
    assert module(["--root", "agents", "-o", ".graphbus"]) == 0
    assert "into .graphbus" in capsys.readouterr().out
    assert module(["--root", "agents", "--intent", "less"]) == 2
    assert "--intent is for a negotiation" in capsys.readouterr().err
    assert module(["--root", "agents", "--llm-model=rules", "--rounds", "0"]) == 2
    assert "--rounds 0" in capsys.readouterr().err
    assert module(["--root"]) == 2


def test_a_static_build_imports_no_heavy_library(hello: Path) -> None:
    """`graphbus build` is quick because it loads neither networkx nor pydantic nor rich, nor the project."""
    script = (
        "import sys\nfrom graphbus_core.cli.main import main\nassert main(['build', 'agents']) == 0\n"
        "heavy = {'networkx', 'pydantic', 'rich', 'jsonschema', 'agents'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=hello, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
