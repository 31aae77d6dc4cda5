"""A node that reads what another one of the build may change runs alone; who reads what nobody changes does not."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from graphbus_core.artifacts.placement import analyze_agents
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt

CASES = Path(__file__).parent / "placement"
HEAD = "from graphbus_core import GraphBusNode, subscribe\n"


def read_projects(name):
    """Projects by name: `### NAME` stands before each, `# MODULE` before each module."""
    projects = []
    for part in (CASES / name).read_text(encoding="utf-8").split("### ")[1:]:
        head, _, rest = part.partition("\n")
        modules = re.split(r"^# ([\w.]+)\n", rest, flags=re.MULTILINE)[1:]
        projects.append(pytest.param(dict(zip(modules[::2], modules[1::2], strict=True)), id=head))
    return projects


def place(modules):
    """Why each node of a project runs alone; None where several processes may share it."""
    sources = {name.removesuffix(".__init__"): HEAD + source for name, source in modules.items()}
    agents = [
        AgentDefinition(kind.name, name, kind.name, f"{name}.py", "", SystemPrompt(""))
        for name, source in sources.items()
        for kind in ast.parse(source).body
        if isinstance(kind, ast.ClassDef) and "subscribe" in ast.unparse(kind)
    ]
    packages = {name.removesuffix(".__init__") for name in modules if name.endswith(".__init__")}
    reasons = analyze_agents(agents, sources.get, packages)
    return {agent.name: reasons[agent.name].why if agent.name in reasons else None for agent in agents}


@pytest.mark.parametrize("modules", read_projects("peers.txt"))
def test_a_reader_of_what_another_node_changes_runs_alone(modules):
    assert place(modules)["R"] is not None


@pytest.mark.parametrize("modules", read_projects("peers_shared.txt"))
def test_a_reader_of_what_no_other_node_changes_is_shared(modules):
    assert place(modules)["R"] is None
