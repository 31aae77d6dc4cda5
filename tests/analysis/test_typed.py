"""Contracts become types for the checker: what falls, and what stays quiet, before and after a change."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.scan import scan
from graphbus_core.analysis.type_checker import contract_types
from graphbus_core.analysis.type_checker.port import Diagnostic, find_new_findings
from graphbus_core.analysis.type_checker.pyrefly import Pyrefly
from graphbus_core.analysis.type_checker.ty import Ty
from tests.analysis.projects import HEAD

AGENTS = """
class Load(GraphBusNode):
    @schema_method(input_schema={"x": int}, output_schema={"quantity": int, "rows": list[dict]})
    def load(self, x) -> dict:
        return {"quantity": x, "rows": []}


class Clean(GraphBusNode):
    @schema_method(input_schema={"qty": int, "note": NotRequired[str]}, output_schema={"n": int})
    def clean(self, qty, note=None):  # a comment (with parentheses):
        return {"n": qty}

    @schema_method(output_schema={"when": datetime, "id": UUID, "pair": tuple[int, int]})
    def loose(
        self, *args,  # more of them)
    ):
        return make_loose()


def make_loose():
    return {}


def make():
    return Load()
"""
MAIN = """
from agents.a import Clean, Load, make

r = Load().load(1)
c = Clean().clean(qty=r["quantity"])
print(c["n"], make().load(2)["rows"])
"""
IMPORTS = "from datetime import datetime\nfrom typing import NotRequired\nfrom uuid import UUID\n"


def understood(folder: Path, agents: str, main: str) -> ProjectAnalysis:
    for path, text in {"pyproject.toml": "", "agents/a.py": IMPORTS + HEAD + dedent(agents), "main.py": main}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    scanned = scan(folder / "agents")
    return ProjectAnalysis.from_folder(scanned.root, scanned.agents)


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        ('r["quantitty"]', 'r["quantity"]', 'Unknown key "quantitty"'),
        ("Clean().clean(amount=", "Clean().clean(qty=", "`amount`"),
        ('c["m"]', 'c["n"]', 'Unknown key "m"'),
        ('qty=r["rows"]', 'qty=r["quantity"]', "Expected `int`"),
        ("make().lode(2)", "make().load(2)", "`lode`"),
        ("nowhere(c", "print(c", "`nowhere`"),
    ],
)
def test_what_goes_wrong_at_a_caller_is_new(tmp_path: Path, wrong: str, right: str, said: str) -> None:
    """A wrong key, keyword, type, method or name, also through a function without a type."""
    with understood(tmp_path, AGENTS, MAIN) as before:
        had = before.check_types()
    assert had == ()
    with understood(tmp_path, AGENTS, MAIN.replace(right, wrong)) as after:
        now = after.check_types()
    assert now is not None
    found = find_new_findings(had, now)
    assert found, "the checker sees nothing"
    assert {d.path for d in found} == {"main.py"}
    assert any(said in d.message for d in found), found


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('r["quantitty"]', 'r["quantity"]'),
        ("amount=", "qty="),
        ('qty=r["rows"]', 'qty=r["quantity"]'),
        ("lode", "load"),
    ],
)
def test_the_second_engine_finds_the_same(tmp_path: Path, wrong: str, right: str) -> None:
    """pyrefly says it in other words, and finds more before the change as well: what is new counts, and where."""
    found = []
    for text in (MAIN, MAIN.replace(right, wrong)):
        with understood(tmp_path, AGENTS, text) as one:
            found.append(contract_types.check_types(one, Pyrefly(one.root)))
    assert {(d.path, d.line) for d in find_new_findings(found[0], found[1])} <= {
        ("main.py", line) for line in (4, 5, 6)
    }
    assert find_new_findings(found[0], found[1])


def test_a_return_that_breaks_its_contract_is_found_in_its_own_line(tmp_path: Path) -> None:
    """`-> dict` hides it from every checker; the contract does not."""
    with understood(tmp_path, AGENTS.replace('{"n": qty}', '{"m": qty}'), "") as one:
        found = one.check_types()
    assert found is not None
    assert {(d.path, d.line) for d in found} == {("agents/a.py", 15)}


def test_unwritten_texts_count(tmp_path: Path) -> None:
    """The project after a change that is not on the disk yet."""
    with understood(tmp_path, AGENTS, MAIN) as before:
        had = before.check_types()
        scanned = scan(tmp_path / "agents")
        over = {"main.py": MAIN.replace('r["quantity"]', 'r["qty"]').encode()}
        with ProjectAnalysis.from_folder(scanned.root, scanned.agents, over=over) as after:
            found = find_new_findings(had or (), after.check_types() or ())
    assert [(d.path, d.line) for d in found] == [("main.py", 5)]


class Counted(Ty):
    """ty, with the files that each look asked about; empty for the whole tree."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.looks: list[list[str]] = []

    def find_diagnostics(self, root: Path, only: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
        self.looks.append(list(only))
        return super().find_diagnostics(root, only)


@pytest.mark.parametrize(
    ("stood", "right", "wrong", "looks"),
    [
        ("", 'r["quantity"]', 'r.get("quantity", 1)', [[]]),
        ("", 'r["quantity"]', 'r["quantitty"]', [[], ["main.py"]]),
        ("n = missing\n", 'r["quantity"]', 'r.get("quantity", 1)', [[], ["side.py"]]),
        ("n = missing\n", 'r["quantity"]', 'r["quantitty"]', [[], ["main.py", "side.py"]]),
    ],
)
def test_a_change_costs_one_look_and_what_is_new_is_the_same(
    tmp_path: Path, stood: str, right: str, wrong: str, looks: list[list[str]]
) -> None:
    """The state before is asked about nothing but the files in which anything is found afterwards."""
    (tmp_path / "side.py").write_text(f"{stood}# {tmp_path}\n")  # a tree that no other test has looked at
    with understood(tmp_path, AGENTS, MAIN) as before, Counted(before.root) as engine:
        over = {"main.py": MAIN.replace(right, wrong).encode()}
        with ProjectAnalysis.from_folder(tmp_path, before.agents, root=tmp_path, over=over) as after:
            told = find_new_findings(*contract_types.compare_types(before, after, engine))
            assert engine.looks == looks
            assert told == find_new_findings(
                contract_types.check_types(before, engine), contract_types.check_types(after, engine)
            )
    assert bool(told) is ("quantitty" in wrong)


def test_a_thousand_files_are_checked_in_their_time(tmp_path: Path) -> None:
    """Processor time of ours; the checker's own is another process and is measured in benchmarks/build.py."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    for n in range(200):
        text = IMPORTS + HEAD + AGENTS.replace("Load", f"Load{n}").replace("Clean", f"Clean{n}")
        (tmp_path / "agents" / f"a{n}.py").write_text(text, "utf-8")
    scanned = scan(tmp_path / "agents")
    from graphbus_core.analysis.type_checker.contract_types import iter_typed_files

    with ProjectAnalysis.from_folder(scanned.root, scanned.agents) as one:
        start = time.process_time()
        assert len(list(iter_typed_files(one))) == 200
        assert time.process_time() - start < 4


def test_what_the_checker_says_names_nothing_that_stands_in_nobodys_code(tmp_path: Path) -> None:
    """The types that were written out of contracts are told as the contracts that they are."""
    with understood(tmp_path, AGENTS, MAIN) as project:
        agents = project.agents
        said = "agents/a.py:9: `dict[str, str]` is not assignable to `Load_load_result` (rule); to `Clean_clean_qty`"
        assert contract_types.restore_names(said, agents) == (
            "agents/a.py:9: `dict[str, str]` is not assignable to what the contract of Load.load gives back (rule); "
            "to 'qty' of Clean.clean"
        )
        deeper = contract_types.restore_names("in Load_load_result_rows_item and Reload_load_result", agents)
        assert deeper == "in what the contract of Load.load gives back and Reload_load_result"
