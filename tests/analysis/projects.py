"""Small whole projects for the tests of this room: agents, a main program, tests, notebooks beside them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.scan import scan

HEAD = "from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe\n"
SHOP = """
class Load(GraphBusNode):
    @schema_method(input_schema={"x": int}, output_schema={"quantity": int, "rows": list})
    def load(self, x):
        return {"quantity": x, "rows": []}


class Clean(GraphBusNode):
    @schema_method(input_schema={"qty": int, "rows": list}, output_schema={"n": int})
    def clean(self, qty, rows):
        return {"n": qty}
"""


def project(folder: Path, files: dict[str, str], agents: str = SHOP) -> ProjectAnalysis:
    """A project with `agents/a.py` and the files given; understood from its root."""
    (folder / "pyproject.toml").write_text("", "utf-8")
    for path, text in {"agents/a.py": HEAD + dedent(agents), **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(dedent(text), "utf-8")
    scanned = scan(folder / "agents")
    return ProjectAnalysis.from_folder(scanned.root, scanned.agents)


def flows(one: ProjectAnalysis) -> list[str]:
    """What flows from one agent's result into another's input, places left out."""
    found = [f for f in one.list_flows() if f.source.side == "result" and f.target.side == "input"]
    return sorted({str(f).rpartition(" (")[0] for f in found})
