"""The names that the seeds, and programs written for them, rely on: they must not break (design §3)."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

NAMES = [
    ("graphbus_core", "GraphBusNode schema_method subscribe depends_on publishes"),
    ("graphbus_core.node_base", "GraphBusNode"),
    ("graphbus_core.config", "BuildConfig LLMConfig SafetyConfig RuntimeConfig"),
    ("graphbus_core.build", "BuildConfig build_project BuildArtifacts NodeScanner MetadataExtractor GraphBuilder"),
    ("graphbus_core.build.builder", "build_project BuildArtifacts"),
    ("graphbus_core.sessions.build.orchestrator", "AgentOrchestrator"),
    ("graphbus_core.commit", "CommitEngine DiffApplicator"),
    ("graphbus_core.runtime", "run_runtime RuntimeExecutor"),
    ("graphbus_core.runtime.loader", "ArtifactLoader"),
    ("graphbus_core.runtime.message_bus", "MessageBus"),
    ("graphbus_core.runtime.event_router", "EventRouter"),
    ("graphbus_core.runtime.executor", "RuntimeExecutor run_runtime"),
    ("graphbus_core.model.message", "Message Event"),
    ("graphbus_core.model.graph", "AgentGraph GraphBusGraph"),
    ("graphbus_core.model.schema", "Schema SchemaMethod"),
    ("graphbus_core.model.topic", "Topic Subscription"),
    ("graphbus_core.model.prompt", "SystemPrompt"),
    ("graphbus_core.model.agent_def", "AgentDefinition"),
    ("graphbus_core.negotiation.proposal.vocabulary", "Proposal ProposalEvaluation CommitRecord ArbiterDecision"),
    ("graphbus_core.contracts", "check changes compatibility validator Contract"),
    ("graphbus_core.http.client", "GraphBusClient AsyncGraphBusClient"),
]
MOVED = [  # paths of 0.2.0 that its docs named; they go with the next release
    ("graphbus_core.build.orchestrator", "graphbus_core.sessions.build.orchestrator", "AgentOrchestrator"),
    ("graphbus_core.build.commit", "graphbus_core.commit", "CommitEngine"),
    ("graphbus_core.api.client", "graphbus_core.http.client", "GraphBusClient"),
    ("graphbus_core.consent", "graphbus_core.sessions.consent", "prepare"),
    ("graphbus_core.stores.memory", "graphbus_core.logs.memory", "MemoryLog"),
    ("graphbus_core.runtime.handling.middleware", "graphbus_core.runtime.middleware", "Redaction"),
]
HERE = Path(__file__).parents[1]
COMMANDS = (
    "build run validate inspect inspect-negotiation why undo log contracts consent negotiate serve skill demo replay"
)


@pytest.mark.parametrize(("module", "names"), NAMES)
def test_importable(module: str, names: str) -> None:
    """Each promised name is where it is promised."""
    found = import_module(module)
    missing = [name for name in names.split() if not hasattr(found, name)]
    assert missing == []


@pytest.mark.parametrize(("old", "new", "name"), MOVED)
def test_an_old_path_is_the_same_module(old: str, new: str, name: str) -> None:
    """Never a second copy: two classes of one name would not be equal. The warning names the new path."""
    code = (
        "import sys, warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        f"    import {old}, {new}\n"
        f"print(sys.modules[{old!r}] is sys.modules[{new!r}], hasattr(sys.modules[{old!r}], {name!r}),\n"
        f"      sys.modules[{new!r}].__spec__.name, any({new!r} in str(w.message) for w in caught))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["True", "True", new, "True"], done.stderr


def test_a_path_that_never_was_is_not_found() -> None:
    """Also below a package that moved; the error names what was asked for."""
    with pytest.raises(ModuleNotFoundError, match=r"graphbus_core\.api\.nonsense"):
        import_module("graphbus_core.api.nonsense")


@pytest.mark.parametrize("command", COMMANDS.split())
def test_every_command_answers(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each promised command exists and helps."""
    from graphbus_core.cli.main import main

    assert main([command, "--help"]) == 0
    assert "Usage" in capsys.readouterr().out


@pytest.mark.parametrize("module", ["graphbus_core.build", "graphbus_core.runtime"])
def test_runs_as_a_module(module: str) -> None:
    """`python -m graphbus_core.build` and `… .runtime` are commands too."""
    done = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "sage" in done.stdout) == (0, True)


@pytest.mark.parametrize("module", ["graphbus_core.commit", "graphbus_core.runtime", "graphbus_core.contracts"])
def test_a_name_that_is_imported_late_is_there(module: str) -> None:
    """Every name of `__all__`, and no other."""
    found = import_module(module)
    assert [name for name in found.__all__ if not hasattr(found, name)] == []
    assert not hasattr(found, "no_such_name")


def loaded(folder: Path, arguments: list[str], late: tuple[str, ...]) -> str:
    """The exit code of a command in a process of its own, and which of these modules it loaded."""
    code = (
        f"import sys; from graphbus_core.cli.main import main; code = main({arguments!r})\n"
        f"print(code, [name for name in {late!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_a_command_loads_what_it_uses_and_nothing_else(tmp_path: Path) -> None:
    """What it does not use it does not wait for: these were half of what `validate` took, and a third of a build."""
    (tmp_path / "agents.py").write_text(
        "from graphbus_core import GraphBusNode\n\nclass A(GraphBusNode): ...\n", "utf-8"
    )
    core = "graphbus_core."
    never = (core + "build.commit.engine", core + "runtime.executor", core + "runtime.message_bus")
    never += (core + "contracts.change.changes", core + "contracts.front.door")
    assert loaded(tmp_path, ["validate", "."], never) == "0 []"
    # Nothing here is repaired, and nothing needs a decision about schemas, TOML, or a command-line library.
    plain = (*never, core + "model.operation", core + "contracts.decided", "typer", "tomllib", "uuid")
    assert loaded(tmp_path, ["build", "."], plain) == "0 []"
    again = (core + "build.scan.source.extractor", core + "build.understand.text.values", core + "build.scan.reader")
    assert loaded(tmp_path, ["build", "."], (*plain, *again)) == "0 []"


def test_what_authors_import_loads_no_cryptography() -> None:
    """OpenSSL was an eighth of what `import graphbus_core` takes."""
    code = "import graphbus_core, sys; print([n for n in ('_hashlib', 'json', 'pydantic') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr


def test_a_command_can_hear_ctrl_c_before_anything_else_is_imported() -> None:
    """What `graphbus_core.cli.main` needs is imported before its `entry` is there to catch a KeyboardInterrupt."""
    code = "import sys; before = set(sys.modules); import graphbus_core.cli.main; print(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, timeout=60, cwd=HERE)
    mine = {name for name in done.stdout.split() if not name.startswith(("importlib", "warnings", "_"))}
    assert mine == {
        "graphbus_core",
        "graphbus_core.lazy_imports",
        "graphbus_core.moved_modules",
        "graphbus_core.cli",
        "graphbus_core.cli.main",
    }, done
