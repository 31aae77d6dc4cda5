"""A node that reads what another one of the build may change runs alone; who reads what nobody changes does not."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.artifacts import placement
from graphbus_core.artifacts.peers import ALL_IT_LOADS, Uses, find_groups, find_shared_objects
from graphbus_core.artifacts.placement import analyze_agents, read_recorded
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt

CASES = Path(__file__).parent / "placement"
HEAD = "from graphbus_core import GraphBusNode, subscribe\n"


def read_projects(name):
    """Projects by name, and why R is not shared: `### NAME | WHY` stands before each, `# MODULE` before each module."""
    projects = []
    for part in (CASES / name).read_text(encoding="utf-8").split("### ")[1:]:
        head, _, rest = part.partition("\n")
        modules = re.split(r"^# ([\w.]+)\n", rest, flags=re.MULTILINE)[1:]
        title, _, why = head.partition(" | ")
        projects.append(pytest.param(dict(zip(modules[::2], modules[1::2], strict=True)), why, id=title))
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


def forget_what_is_everything(monkeypatch):
    """From now on nodes are joined by the names of what they read and change, and by nothing coarser."""

    def find(nodes, imports_of):
        named = [
            (
                name,
                replace(
                    uses,
                    reads=uses.reads - {ALL_IT_LOADS},
                    changes={what: where for what, where in uses.changes.items() if what != ALL_IT_LOADS},
                ),
            )
            for name, uses in nodes
        ]
        return find_shared_objects(named, imports_of)

    monkeypatch.setattr(placement, "find_shared_objects", find)


@pytest.mark.parametrize(("modules", "why"), read_projects("peers.txt"))
def test_a_reader_of_what_another_node_changes_runs_alone(modules, why, monkeypatch):
    """By the name of what both use; or because the other one may change everything; or by itself already."""
    reason = place(modules)["R"]
    assert reason is not None
    assert (re.match(r"it (reads what|may change what) ", reason) is None) is (why == "by itself")
    forget_what_is_everything(monkeypatch)
    assert (place(modules)["R"] is None) is (why == "everything")


@pytest.mark.parametrize(("modules", "why"), read_projects("peers_shared.txt"))
def test_a_reader_of_what_no_other_node_changes_is_shared(modules, why):
    assert not why
    assert place(modules)["R"] is None


def write_project(folder, **modules):
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")


READER = (
    f"{HEAD}from limits import LIMITS\nclass R(GraphBusNode):\n    @subscribe('/r')\n"
    "    def on(self, name: str):\n        return LIMITS.get(name)\n"
)
WRITER = (
    f"{HEAD}import middle\nclass W(GraphBusNode):\n    @subscribe('/w')\n"
    "    def on(self, name: str):\n        exec(name)\n"
)


def find_shared(folder, cache=None):
    return {agent.name for agent in scan(folder, cache_file=cache).agents if read_recorded(agent) is None}


def test_what_a_node_may_load_is_told_anew_though_none_of_its_own_files_changed(tmp_path):
    """Its facts rest on the files that it was followed into; which modules these lead to is a matter of the build."""
    folder, cache = tmp_path / "project", tmp_path / "cache"
    folder.mkdir()
    write_project(folder, reader=READER, writer=WRITER, limits="LIMITS = {'a': 1}\n", middle="import far\n", far="")
    assert find_shared(folder, cache) == {"R"}
    write_project(folder, far="import limits\n")
    assert find_shared(folder, cache) == set()
    write_project(folder, far="def late():\n    from importlib import import_module\n    import_module('other')\n")
    assert find_shared(folder, cache) == {"R"}
    write_project(folder, far="def late():\n    from importlib import import_module\n    import_module('limits')\n")
    assert find_shared(folder, cache) == set()


def test_a_node_is_read_in_a_file_that_has_the_name_of_a_library(tmp_path):
    write_project(tmp_path, numbers=READER.replace("from limits import LIMITS", "LIMITS = {'a': 1}"))
    assert find_shared(tmp_path) == {"R"}


def group(uses, alone=None):
    nodes = [(f"N{place}", one) for place, one in enumerate(uses)]
    return find_groups(nodes, range(len(nodes)) if alone is None else alone, lambda module: [])


def test_nodes_of_one_place_that_share_an_object_are_one_group():
    writes, reads = Uses(changes={"m:T": "w.py:1"}), Uses(placed_reads=["m:T"])
    other = Uses(changes={"m:U": "o.py:1"}, placed_reads=["m:U"])
    assert group([writes, other, reads, writes, reads]) == [(0, 2, 3, 4)]
    assert group([writes, other]) == []
    assert group([writes, reads, other], alone=[0, 2]) == []  # who says that it is shared wants no place


def test_groups_that_one_node_joins_are_one():
    first, second = Uses(changes={"m:A": "1"}), Uses(changes={"m:B": "2"})
    assert group([first, second, Uses(placed_reads=["m:A"]), Uses(placed_reads=["m:B"])]) == [(0, 2), (1, 3)]
    assert group([first, second, Uses(placed_reads=["m:A", "m:B"])]) == [(0, 1, 2)]


def test_who_may_change_everything_is_in_one_group_with_all_that_load_it():
    anything = Uses(changes={ALL_IT_LOADS: "w.py:1"}, loads=["m"])
    assert group([anything, Uses(placed_reads=["m:T"], loads=["m"]), Uses(placed_reads=["n:T"], loads=["n"])]) == [
        (0, 1)
    ]


def test_a_scan_records_the_group_and_an_older_record_has_none(tmp_path):
    writer = WRITER.replace("import middle", "from limits import LIMITS").replace("exec(name)", "LIMITS[name] = 1")
    other = READER.replace("class R", "class Other").replace("from limits import", "from others import")
    counts = "class Counts(GraphBusNode):\n    n = 0\n    @subscribe('/c')\n    def on(self, name: str):\n"
    counts += "        self.n += 1\n        return self.n\n"
    write_project(tmp_path, reader=READER, writer=writer, limits="LIMITS = {'a': 1}\n", other=other)
    write_project(tmp_path, others="LIMITS = {'a': 1}\n", counts=HEAD + counts)
    agents = {agent.name: agent for agent in scan(tmp_path).agents}
    groups = {name: read_recorded(agent).group for name, agent in agents.items() if read_recorded(agent)}
    assert groups["R"] == groups["W"] in ("R", "W")
    assert groups["Counts"] == ""
    assert "Other" not in groups
    assert "group" not in agents["Counts"].metadata["one_place"]
    agents["R"].metadata["one_place"] = {"why": "it was so", "stored": False}
    assert read_recorded(agents["R"]).group == ""


def test_what_a_node_of_one_place_fills_is_read_by_others():
    """It counts by itself, and fills a table that another node measures."""
    tools = "_KNOWN = {}\ndef square(n):\n    if n not in _KNOWN:\n        _KNOWN[n] = n * n\n    return _KNOWN[n]\n"
    body = "    n = 0\n    @subscribe('/w')\n    def on(self, n: int):\n        self.n += 1\n        return square(n)\n"
    reader = "    @subscribe('/r')\n    def on(self, n: int):\n        return len(_KNOWN)\n"
    modules = {
        "tools": tools,
        "writer": f"from tools import square\nclass W(GraphBusNode):\n{body}",
        "reader": f"from tools import _KNOWN\nclass R(GraphBusNode):\n{reader}",
    }
    assert place(modules)["R"] is not None
