"""`protected_files`: what each kind of pattern protects, at the table, at the gates and before the build starts."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from graphbus_core.build.builder import build_project
from graphbus_core.commit.gates import limits
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.proposal.config import protects
from graphbus_core.testing import chain, temporary_project

CLEAN = "agents/clean.py"


@pytest.mark.parametrize(
    "pattern",
    [
        *("agents/clean.py", "./agents/clean.py", "agents//clean.py", "Agents/Clean.py", r"agents\clean.py"),
        *("clean.py", "CLEAN.PY", "cl*.py", "*.py"),  # a name protects anywhere
        *("agents", "agents/", "./agents/", "agents/*", "*/clean.py", "**/clean.py", "agents/**/clean.py", "**", "."),
    ],
)
def test_protects(pattern):
    """Spelled in whatever way it is."""
    assert protects(pattern, CLEAN)
    assert limits.explain_protected([CLEAN], {"protected_files": [pattern]}) is not None


@pytest.mark.parametrize(
    "pattern", ["lean.py", "agents/clean", "agents/cleaner.py", "other/clean.py", "clean", "a/agents"]
)
def test_protects_nothing_else(pattern):
    """A part of a name is not the name."""
    assert not protects(pattern, CLEAN)
    assert limits.explain_protected([CLEAN], {"protected_files": [pattern]}) is None


def test_a_glob_is_also_the_name_of_a_file():
    """Brackets may stand in the name of a file."""
    assert protects("agents/[clean].py", "agents/[clean].py")
    assert not protects("agents/[clean].py", "agents/other.py")


def fates(root: Path, monkeypatch, protected) -> list[tuple[str, str | None]]:
    """Agent000 proposes a field; outcome of its proposals, and by what."""
    monkeypatch.chdir(root)
    add = "{op: add_field, method: run, side: output, field: k, type: str, optional: true}"
    Path("s.yaml").write_text(
        "default:\n  evaluate: {decision: accept}\n"
        f"agents:\n  Agent000:\n    propose:\n      - round: 1\n        proposals: [{{summary: k, diff: [{add}]}}]\n"
    )
    safety = SafetyConfig(max_negotiation_rounds=1, protected_files=protected)
    config = BuildConfig(
        "agents",
        llm_config=LLMConfig(model="scripted:s.yaml"),
        safety_config=safety,
        allow_unproved=["imports"],  # the chain's `@schema_method(input=…)` is read, and cannot be imported
    )
    build_project(config)
    log = json.loads(Path(".graphbus/negotiation_log.json").read_text())
    return [(p["outcome"], p["decided_by"]) for p in log["rounds"][0]["proposals"]]


DROPPED = [("dropped", "protected_files")]


@pytest.mark.parametrize("spelled", ["agent000.py", "./agents/agent000.py", "agents", "Agents/agent000.py"])
def test_a_protected_file_is_refused_at_the_table(monkeypatch, spelled):
    """Before anybody is asked about it."""
    with temporary_project(chain(2, one_file=False)) as root:
        assert fates(root, monkeypatch, [spelled]) == DROPPED


def test_an_absolute_path_and_a_text_alone(monkeypatch):
    """Both are natural to write; neither may protect nothing."""
    with temporary_project(chain(2, one_file=False)) as root:
        assert fates(root, monkeypatch, [str(root / "agents/agent000.py")]) == DROPPED
        assert fates(root, monkeypatch, "agents/agent000.py") == DROPPED
        assert fates(root, monkeypatch, Path("agents/agent000.py")) == DROPPED


def test_a_pattern_that_matches_nothing_is_said(monkeypatch, caplog):
    """With the nearest file; one that matches, or is there without being an agent's, is not."""
    with temporary_project({**chain(2, one_file=False), "README.md": ""}) as root, caplog.at_level(logging.WARNING):
        assert fates(root, monkeypatch, ["agents/agent0O0.py", "README.md", "agents/agent001.py"])[0][0] == "committed"
    assert "'agents/agent0O0.py', which matches no file" in caplog.text
    assert "the nearest is agents/agent00" in caplog.text
    assert "README" not in caplog.text
    assert "'agents/agent001.py'" not in caplog.text


@pytest.mark.parametrize("wrong", [[3], [""], {"agents": 1}, 7, b"agents"])
def test_what_is_no_list_of_texts_is_refused(wrong):
    """Before it can protect nothing."""
    with pytest.raises(ConfigError, match=r"SafetyConfig\.protected_files"):
        SafetyConfig(protected_files=wrong)
