"""The gates as functions of a trial: no copy is made and nothing runs. Each kills a mutant of the commit room."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graphbus_core.analysis import type_checker
from graphbus_core.analysis.links import LinkResult, link
from graphbus_core.analysis.scan import scan
from graphbus_core.commit.batching import MAX_MEMBERS, SharedRuns
from graphbus_core.commit.gates import (
    contracts,
    freshness,
    imports,
    names,
    parses,
    pytest_suite,
    receipt,
    rehearsal,
    rehearsal as payloads,
    trial as code_gates,
    types,
    verify,
)
from graphbus_core.commit.gates.pytest_suite import SuiteOutcome
from graphbus_core.commit.gates.trial import GateStatus, collect_contracts
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.operation import AddImport, EditText, RetypeField
from graphbus_core.model.schema import Schema
from graphbus_core.negotiation.proposal.link_faults import LinkFault
from tests.commit.projects import CLEANER, FETCHER, FILES, write
from tests.commit.test_commit_survivors import describe_worse, trial

TEXT = {"type": "string"}


def test_a_refusal_ends_with_what_the_command_printed_last() -> None:
    ran: Any = SimpleNamespace(output="".join(f"line {n}\n" for n in range(40)), stopped=None, returncode=1)
    assert code_gates.clip_output_tail(ran).splitlines() == [f"line {n}" for n in range(40 - code_gates.TAIL, 40)]
    assert code_gates.summarize_failure(ran) == "line 39"


def test_a_type_is_looked_up_as_the_file_of_its_node_sees_it() -> None:
    """A name of the project is the contract that it stands for, in the operation as in the source."""
    slot = ("A", "m", "input")
    expected = contracts.ExpectedContracts({slot: {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}})
    op = RetypeField(node="A", method="m", side="input", field="a", type="Money")
    money = {"type": "integer", "minimum": 0}
    asked: list[str] = []

    def resolve(name: str) -> Any:
        asked.append(name)
        return Schema(money).json_schema if name == "Money" else None

    assert "Money" in (contracts.ExpectedContracts(dict(expected.slots)).apply_diff([op], (), None, {}) or "Money")
    expected.apply_diff([op], (), resolve, {})
    assert asked[:1] == ["Money"]


def test_an_operation_on_a_text_excuses_no_contract_of_its_node(tmp_path: Path) -> None:
    """Only a node that comes or goes does; an import of it speaks of no contract at all."""
    agents = scan(write(tmp_path) / "agents").agents
    expected = contracts.ExpectedContracts(collect_contracts(agents))
    assert expected.apply_diff([AddImport(node="Fetcher", statement="import json")], (), None, {}) is None
    assert not expected.nodes
    assert expected.slots == collect_contracts(agents)


def test_a_contract_that_changes_whole_is_named_whole() -> None:
    said = contracts._explain_undeclared(("N", "m", "input"), {"type": "object"}, TEXT, ())
    assert said.startswith("N.m.input changed as well")


def test_a_link_that_is_new_is_not_excused_by_what_it_would_have_missed(tmp_path: Path) -> None:
    """Both contracts stood there before and did not fit; nobody had joined them."""
    wrong = CLEANER.replace('{"headlines": list[str]}', '{"headlines": list[int]}')
    apart = wrong.replace('    @depends_on("Fetcher.fetch")\n', "").replace("depends_on, ", "")
    before, after = (
        scan(write(tmp_path / folder, {**FILES, "agents/cleaner.py": text}) / "agents").agents
        for folder, text in (("apart", apart), ("joined", wrong))
    )
    assert "it breaks Fetcher" in describe_worse((before, link(before)), (after, link(after)))[0]


def test_a_link_that_fails_in_no_field_is_not_excused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with it has no name that could be compared."""
    states: list[tuple[Any, LinkResult]] = []
    for folder, kind in (("ints", "int"), ("bytes", "bytes")):
        wrong = CLEANER.replace('{"headlines": list[str]}', f'{{"headlines": list[{kind}]}}')
        agents = scan(write(tmp_path / folder, {**FILES, "agents/cleaner.py": wrong}) / "agents").agents
        states.append((agents, link(agents)))
    assert describe_worse(*states) == []
    monkeypatch.setattr(LinkFault, "list_failing", lambda fault: set())
    assert "it breaks Fetcher" in describe_worse(*states)[0]
    assert describe_worse(states[0], states[0]) == []  # nothing of it changed, so nobody's change is to blame


def test_a_file_is_compiled_as_python_compiles_it() -> None:
    """Not as this program is, with its `from __future__` lines."""
    assert parses.ask(trial({}, {"a.py": "def f(a: (b := int)): return a\n"}))[0] is GateStatus.PROVED
    assert parses.ask(trial({}, {"a.py": "def f(:\n"}))[0] is GateStatus.REFUSED


def test_a_handler_is_tried_with_what_its_publisher_sends(tmp_path: Path) -> None:
    more = FETCHER.replace('"/News/Raw", {"url": str}', '"/News/Raw", {"url": str, "place": int}')
    agents = scan(write(tmp_path, {**FILES, "agents/fetcher.py": more}) / "agents").agents
    changed = [EditText(node="Cleaner", method="on_raw", old="event", new="event")]
    (call,) = rehearsal.build_calls(agents, link(agents).links, changed)
    assert (call["method"], call["payloads"][:1]) == ("on_raw", [{"url": "text", "place": 7}])


def test_a_consumer_that_is_written_while_the_gates_run_is_asked_as_well(tmp_path: Path) -> None:
    """It was in no copy and in no link, and would stand on a name that the commit takes away."""
    one: Any = SimpleNamespace(project=scan(write(tmp_path) / "agents"), seen={}, list_python_files=list)
    assert freshness.ask(one)[0] is GateStatus.PROVED
    (tmp_path / "notes.py").write_text("x = 1\n")  # beside the agents: no part of what was linked
    assert freshness.ask(one)[0] is GateStatus.PROVED
    (tmp_path / "agents/late.py").write_text(CLEANER.replace("class Cleaner", "class Late"))
    assert freshness.ask(one)[:2] == (GateStatus.REFUSED, "agents/late.py: edited while the gates ran.")


def test_a_node_that_is_not_there_yet_has_no_method_to_try(tmp_path: Path) -> None:
    """Before a change that adds it, as after one that takes it away."""
    agents = scan(write(tmp_path) / "agents").agents
    assert rehearsal.build_calls(agents, (), [EditText(node="Nobody", method="m", old="a", new="b")]) == []


def test_a_module_without_an_agent_is_imported_too(tmp_path: Path) -> None:
    """A change is followed into it; a stub is for checkers alone, and with an agent its class must be there."""
    project = scan(write(tmp_path) / "agents")
    change = Edited({}, dict.fromkeys(("main.py", "main.pyi", "agents/fetcher.py"), b""))
    assert imports.collect_changed_modules(cast(Any, SimpleNamespace(applied=change, after=project))) == {
        "main": ("main.py", []),
        "agents.fetcher": ("agents/fetcher.py", ["Fetcher"]),
    }


def test_no_more_than_eight_share_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A larger group fails more often than it saves runs."""
    runs = SharedRuns(lambda one: ((), Edited({}, {f"{one['proposal_id']}.py": b""}), cast(Any, None)), cast(Any, None))
    monkeypatch.setattr(runs, "_can_join", lambda *_: True)
    ahead = {"alongside": [{"proposal_id": f"p-{n}"} for n in range(12)]}
    others = list(runs._find_companions(ahead, cast(Any, SimpleNamespace(files=["first.py"]))))
    assert [one.proposal_id for one in others] == [f"p-{n}" for n in range(MAX_MEMBERS - 1)]


@pytest.mark.parametrize("there", [True, False])
def test_types_are_required_where_there_is_a_checker(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_checker, "is_installed", lambda: there)
    assert types.GATE.required(cast(Any, None)) is there


def test_the_run_after_a_commit_is_the_one_before_the_next() -> None:
    """Under the digests of the files as they will be, and without the test that must fail."""
    ran: Any = SimpleNamespace()
    change = Edited({"a.py": b"1", "b.py": b"2"}, {"a.py": b"3", "b.py": b""}, removed=frozenset({"b.py"}))
    made: dict[str, SuiteOutcome] = {}
    one: Any = SimpleNamespace(applied=change, baselines=made, seen={"a.py": "old", "b.py": "old", "c.py": "c"})
    verify._keep_as_baseline(one, SuiteOutcome(ran, {"t": "passed", "decoy": "failed"}, True), "decoy")
    digest = "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce"  # SHA-256 of "3"
    assert list(made) == [verify._digest_files({"a.py": digest, "c.py": "c"})]
    assert [kept.ends for kept in made.values()] == [{"t": "passed"}]


def test_what_a_class_of_another_name_holds_is_no_test_of_its_own() -> None:
    """Who would collect it, nobody can tell; so nothing of its file has a say."""
    text = b"class Check:\n    def test_a(self):\n        assert %d\n\n\ndef test_b():\n    assert 1\n"
    assert pytest_suite.find_changed_tests({"test_x.py": text % 1}, {"test_x.py": text % 2}) == {"test_x.py"}
    named = text.replace(b"Check", b"TestCheck")
    assert pytest_suite.find_changed_tests({"test_x.py": named % 1}, {"test_x.py": named % 2}) == {
        "test_x.py::TestCheck::test_a"
    }


@pytest.mark.parametrize(("levels", "innermost"), [(1, "text"), (8, "text"), (9, None)])
def test_a_payload_is_typical_eight_levels_down(levels: int, innermost: str | None) -> None:
    schema: Any = TEXT
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    value = payloads._build_typical_value(schema, schema, True)
    for _ in range(levels):
        (value,) = value
    assert value == innermost


def test_a_receipt_says_what_stands_around_the_classes_that_changed(tmp_path: Path) -> None:
    helper = FETCHER.replace("class Fetcher", "LIMIT = 3\n\n\nclass Fetcher")
    before, after = (
        scan(write(tmp_path / folder, {**FILES, "agents/fetcher.py": text}) / "agents")
        for folder, text in (("before", FETCHER), ("after", helper))
    )
    change = Edited({"agents/fetcher.py": FETCHER.encode()}, {"agents/fetcher.py": helper.encode()})
    one: Any = SimpleNamespace(project=before, after=after, applied=change, files=["agents/fetcher.py"])
    around = receipt.build_prepared(one, (), link(after.agents)).after_state["around"]
    assert set(around) == {"Fetcher"}
    assert "LIMIT = 3" in around["Fetcher"]


@pytest.mark.parametrize(
    ("last", "falls"),
    [
        ("with x:\n        pass", True),
        ("with x:\n        return {}", False),
        ("with suppress(OSError):\n        return {}", True),
    ],
)
def test_a_path_through_a_with_ends_where_its_body_does(last: str, falls: bool) -> None:
    function = ast.parse(f"def f(x):\n    if x:\n        return {{}}\n    {last}\n").body[0]
    assert names.can_fall_through(cast(ast.FunctionDef, function)) is falls


@pytest.mark.parametrize(("managers", "missing"), [("suppress(OSError), lock", True), ("lock, other", False)])
def test_one_manager_that_swallows_is_enough(managers: str, missing: bool) -> None:
    source = f"def f(lock, other):\n    with {managers}:\n        y = g()\n    return y\n".encode()
    assert any("'y' in f" in one for one in names.find_unbound_names(source, "a.py")) is missing
