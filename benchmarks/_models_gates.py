"""Four commits of one round with `--verify auto`: together, and one by one. Run by `models.py`."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from _scripted_table import adopting_orphans, processor_s, row

from graphbus_core.analysis.scan import scan
from graphbus_core.commit import CommitEngine
from graphbus_core.commit.gates import verify
from graphbus_core.config import BuildConfig
from graphbus_core.testing import write_files

AGENTS = 4
SUITE_S = 0.5  # of processor, that the project's tests take: a small suite
NODE = """from graphbus_core import GraphBusNode, schema_method


class NAME(GraphBusNode):
    @schema_method(input_schema={"items": list[str]}, output_schema={"items": list[str]})
    def run(self, items):
        return {"items": items}
"""
TESTS = f"""import time


def test_suite():
    began = time.process_time()
    while time.process_time() - began < {SUITE_S}:
        pass
"""


def _effects(project: Any, alone: bool) -> list[dict[str, Any]]:
    """A note on the input of each agent, in a file of its own."""
    field_ = {"method": "run", "side": "input", "field": "note", "type": "str", "optional": True, "default": "''"}
    diffs = [[{"op": "add_field", "node": agent.name, **field_}] for agent in project.agents]
    ahead = [{"proposal_id": f"p-{i}", "diff": diff, "base": {}} for i, diff in enumerate(diffs)]
    rest: dict[str, Any] = {"proposer": "", "round": 1, "base": {}}
    return [{**one, **rest, **({} if alone else {"alongside": ahead[i + 1 :]})} for i, one in enumerate(ahead)]


def _landed(alone: bool) -> tuple[int, float, float]:
    """How many runs of the tests it took, processor and wall seconds. Raises where one does not land."""
    runs = 0
    really = verify._run

    def counted(*words: Any) -> Any:
        nonlocal runs
        runs += 1
        return really(*words)

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        write_files(root, {**_apart(), "tests/test_suite.py": TESTS})
        config = BuildConfig(str(root / "agents"), output_dir=str(root / ".graphbus"), verify="auto")
        verify._run = counted
        try:
            project = scan(str(root / "agents"))
            with CommitEngine(project, config) as engine:
                began, used = time.perf_counter(), processor_s()
                for effect in _effects(project, alone):
                    receipt = engine.apply("commit", effect)
                    if receipt["status"] != "committed":
                        raise SystemExit(
                            f"{effect['proposal_id']} did not land: {receipt['gate']}: {receipt['reason']}"
                        )
                return runs, processor_s() - used, time.perf_counter() - began
        finally:
            verify._run = really


def _apart() -> dict[str, str]:
    """As many agents, each in a file of its own."""
    return {"agents/__init__.py": "", **{f"agents/a{i}.py": NODE.replace("NAME", f"A{i}") for i in range(AGENTS)}}


def together() -> None:
    """Runs of the user's tests for four commits that touch different files."""
    with adopting_orphans():
        runs, cpu, wall = _landed(alone=False)
        runs_alone, cpu_alone, wall_alone = _landed(alone=True)
    row(
        f"{AGENTS} commits with --verify auto, a suite of {SUITE_S} s",
        f"{runs} runs, {cpu:.1f} s of processor, {wall:.1f} s; one by one {runs_alone} runs, {cpu_alone:.1f} s, "
        f"{wall_alone:.1f} s",
        "2 runs, receipts for each",
        runs == 2,
    )
