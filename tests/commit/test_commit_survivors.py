"""Changes that `tests.mutations` showed no other test would miss: each kills a mutant of the commit room."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graphbus_core.analysis.links import LinkResult, link
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.commit import git, history, history as targets, reversal
from graphbus_core.commit.batching import SharedRuns
from graphbus_core.commit.gates import (
    characters,
    contracts,
    limits,
    mismatches,
    names,
    names as slips,
    names as unbound,
    path,
    pytest_suite,
    receipt,
    rehearsal,
    rehearsal as payloads,
    trial as slots,
    types,
    verify,
)
from graphbus_core.commit.gates.trial import GateStatus, report_proved, report_refused
from graphbus_core.config import BuildConfig
from graphbus_core.editing.scope import EditScope
from graphbus_core.errors import UsageError
from graphbus_core.model.edit_outcome import Edited, Refusal
from graphbus_core.model.operation import AddAgent, RenameMethod
from graphbus_core.model.schema import Schema
from graphbus_core.model.topic import Publication, Topic
from graphbus_core.negotiation.proposal.link_faults import compare_faults
from graphbus_core.sandbox.path_guard import PathGuard
from tests.commit.projects import CLEANER, FETCHER, FILES, write

TEXT = {"type": "string"}


def trial(before: Mapping[str, str], after: Mapping[str, str], **more: Any) -> Any:
    """As much of a trial as a gate asks for that only reads the files that change."""
    old, new = ({p: t.encode() for p, t in side.items()} for side in (before, after))
    nothing = SimpleNamespace(agents=(), root=Path("/nowhere"), sources={})
    made = {"files": sorted(new), "project": nothing, "after": nothing, "limits": {}, **more}
    return SimpleNamespace(applied=Edited(old, new, created=frozenset(new.keys() - before.keys())), **made)


def test_a_contract_that_appears_or_goes_is_named_with_its_fields() -> None:
    whole = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}
    for old, new in ((None, whole), (whole, None)):
        assert contracts._explain_undeclared(("N", "m", "input"), old, new, ()).startswith(
            "N.m.input.a changed as well"
        )


def test_a_node_that_is_added_is_a_node_afterwards(tmp_path: Path) -> None:
    agents = scan(write(tmp_path) / "agents").agents
    one = AddAgent(node="Cleaner", path="cleaner.py", source=CLEANER)
    expected = contracts.ExpectedContracts({}, nodes={"Cleaner"})
    without = [a for a in agents if a.name != "Cleaner"]
    assert contracts._check_nodes(without, agents, [one], expected) is None
    assert "Cleaner: not a node" in (contracts._check_nodes(without, without, [one], expected) or "")


TWICE = """from graphbus_core import GraphBusNode, publishes


class A(GraphBusNode):
    @publishes("/t", {"a": int})
    def one(self) -> None:
        self.publish("/t", {"a": 1})

    @publishes("/t", {"b": int})
    def two(self) -> None:
        self.publish("/t", {"b": 1})
"""


@pytest.mark.parametrize(
    ("old", "new", "free", "fine"),
    [
        ("", "", "", True),
        ('{"b": int}', '{"b": str}', "", False),
        ('{"b": int}', '{"a": int}', "", False),  # the first is so already, and was not what this one said
        ('{"b": int}', '{"b": str}', "two", False),  # the code of a method may change, and not what it declares
        ('    @publishes("/t", {"b": int})\n', "", "", False),
        ('    @publishes("/t", {"b": int})\n', "", "two", True),
    ],
)
def test_a_second_contract_of_a_topic_changes_with_the_first_or_not_at_all(
    tmp_path: Path, old: str, new: str, free: str, fine: bool
) -> None:
    was, is_ = (
        scan(write(tmp_path / folder, {"agents/a.py": text}) / "agents").agents
        for folder, text in (("was", TWICE), ("is", TWICE.replace(old, new)))
    )
    said = contracts.ExpectedContracts(slots.collect_contracts(was), free={("A", free)})
    assert contracts._find_difference(was, is_, (), said) is None
    assert (contracts._check_declarations(was, is_, (), said) is None) == fine


def test_a_contract_that_two_methods_share_moves_for_both(tmp_path: Path) -> None:
    shared = TWICE.replace('{"b": int}', '{"a": int}')
    was, is_ = (
        scan(write(tmp_path / folder, {"agents/a.py": text}) / "agents").agents
        for folder, text in (("was", shared), ("is", shared.replace('"a": int', '"c": int')))
    )
    assert (
        contracts._check_declarations(was, is_, (), contracts.ExpectedContracts(slots.collect_contracts(is_))) is None
    )


@pytest.mark.parametrize(
    ("changed", "declared", "refusal"),
    [
        ({"depends_on": ("B",)}, {}, "A.depends_on changed"),
        ({"depends_on": ("B",)}, {"free": {("A", "one")}}, ""),  # new code may need another node
        ({"depends_on": ("B",)}, {"told": {("A", "depends_on", "B")}}, ""),
        ({"depends_on": ("B",)}, {"told": {("C", "depends_on", "B")}}, "A.depends_on changed"),
        ({"system_prompt": "Be kind."}, {}, "A.system_prompt changed"),
        ({"system_prompt": "Be kind."}, {"free": {("A", "one")}}, "A.system_prompt changed"),
        ({"metadata": {"is_arbiter": True}}, {}, "A: is_arbiter changed"),
    ],
)
def test_what_a_node_says_of_itself_changes_only_where_that_is_declared(
    tmp_path: Path, changed: dict[str, Any], declared: dict[str, Any], refusal: str
) -> None:
    (was,) = scan(write(tmp_path, {"agents/a.py": TWICE}) / "agents").agents
    said = contracts._check_declarations(
        [was], [replace(was, **changed)], (), contracts.ExpectedContracts(slots.collect_contracts([was]), **declared)
    )
    assert (said or "").startswith(refusal)
    assert bool(said) == bool(refusal)


def describe_worse(before: tuple[Any, LinkResult], after: tuple[Any, LinkResult]) -> list[str]:
    """Each link that the second state breaks, in words."""
    changes = compare_faults(mismatches.collect_faults(*before), mismatches.collect_faults(*after), {})
    return [str(fault) for fault in changes.worse]


def test_a_link_that_did_not_fit_may_fit_no_worse(tmp_path: Path) -> None:
    """As it was, it lets through; with one more field that fails, it does not."""

    def linked(folder: str, wanted: str) -> Any:
        changed = CLEANER.replace('{"headlines": list[str]}', wanted)
        agents = scan(write(tmp_path / folder, {**FILES, "agents/cleaner.py": changed}) / "agents").agents
        return agents, link(agents)

    one, two = linked("one", '{"headlines": list[int]}'), linked("two", '{"headlines": list[int], "source": int}')
    assert [len(state[1].mismatches) for state in (one, two)] == [1, 1]
    assert describe_worse(one, one) == []
    assert describe_worse(two, one) == []
    assert "it breaks Fetcher" in describe_worse(one, two)[0]


def test_a_payload_is_typical_of_its_contract() -> None:
    fields = {"a": {"enum": ["x", "y"]}, "b": {"const": 5}, "n": {"type": ["integer", "null"]}}
    made = payloads.sample_payloads({"type": "object", "properties": fields, "required": ["a", "b", "n"]})
    assert made[:2] == [{"a": "x", "b": 5, "n": 7}, {"a": "x", "b": 5, "n": None}]


def test_of_a_topic_the_payload_that_is_declared_counts(tmp_path: Path) -> None:
    agent = scan(write(tmp_path) / "agents").agents[0]
    bare, told = Publication("N", Topic("/T")), Publication("N", Topic("/T"), Schema(TEXT))
    for both in ((bare, told), (told, bare)):
        found = slots.collect_contracts([replace(agent, name="N", methods=(), publications=both)])
        assert found == {("N", "/T", "payload"): TEXT}
    assert slots.collect_contracts([replace(agent, name="N", methods=(), publications=(bare,))]) == {
        ("N", "/T", "payload"): None
    }


def test_a_file_that_is_made_counts_as_changed() -> None:
    end, why, *_ = limits.ask(trial({}, {"new.py": ""}, limits={"max_file_changes_per_commit": 0}))
    assert end is GateStatus.REFUSED
    assert "it changes 1 files (new.py)" in why


def test_one_undefined_name_excuses_no_other() -> None:
    old, new = "def f():\n    return one\n", "def f():\n    return two\n"
    assert names.ask(trial({"a.py": old}, {"a.py": new}))[0] is GateStatus.REFUSED
    assert names.ask(trial({"a.py": old}, {"a.py": f"\n\n{old}"}))[0] is not GateStatus.REFUSED


def test_git_says_why_it_cannot_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "find_obstacle", lambda root: "a merge is under way")
    monkeypatch.setattr(git, "list_uncommitted", lambda root, files: [])
    assert "a merge is under way" in (path._explain_git_obstacle(trial({}, {})) or "")


def test_a_method_that_one_payload_reached_was_called() -> None:
    call = [{"class": "N", "method": "m"}]
    assert rehearsal._check_all_tried(call, [[None, f"{rehearsal.NOT_TRIED}: no"]])[0] is not GateStatus.NOT_RUN
    assert rehearsal._check_all_tried(call, [[f"{rehearsal.NOT_TRIED}: no"]])[0] is GateStatus.NOT_RUN


def test_a_last_line_without_an_end_is_said() -> None:
    made = receipt.render_unified_diff(Edited({"a.py": b"x = 1"}, {"a.py": b"x = 2\n"}))
    assert made.splitlines()[-3:] == ["-x = 1", "\\ No newline at end of file", "+x = 2"]


@pytest.mark.parametrize(("last", "bare"), [("return", True), ("return {}", False), ("return []", True)])
def test_a_bare_return_gives_no_object(last: str, bare: bool) -> None:
    function = ast.parse(f"def f(x):\n    if x:\n        {last}\n    return {{}}\n").body[0]
    assert slips.can_return_no_object(cast(ast.FunctionDef, function)) is bare


def test_what_a_loop_counts_with_may_have_no_value_after_it() -> None:
    source = b"def f(xs):\n    for x in xs:\n        print(x)\n    return x\n"
    assert [one for one in unbound.find_unbound_names(source, "a.py") if "'x' in f" in one]


@pytest.mark.parametrize(("fails_at", "tried"), [("", 5), ("e", 2), ("d", 2), ("c", 0), ("b", 0), ("a", 0), ("z", 5)])
def test_a_group_that_fails_is_halved(fails_at: str, tried: int) -> None:
    """Half of those that fail together; one alone is no group. What failed up to one that is gone says nothing."""
    runs = SharedRuns(cast(Any, None), cast(Any, None), _fails_at=fails_at)
    assert len(runs._select_group([cast(Any, SimpleNamespace(proposal_id=one)) for one in "abcde"])) == tried


def test_a_name_that_came_into_use_elsewhere_keeps_its_commit(tmp_path: Path) -> None:
    """In a file that the commit did not change, and that an undo would leave with a name that is gone."""
    renamed = {"agents/fetcher.py": FETCHER.replace("def fetch(", "def load(")}
    caller = {"agents/user.py": "from agents.fetcher import Fetcher\n\nprint(Fetcher().load('x'))\n"}
    back = RenameMethod(node="Fetcher", method="load", to="fetch")

    def used(project: Project, *files: str) -> str | None:
        reach = EditScope(project)
        door = PathGuard(project.root, reach.editable_files)
        return reversal._explain_later_use((back,), {"files": {file: {} for file in files}}, project, door, reach)

    alone = scan(write(tmp_path / "alone", renamed) / "agents")
    assert used(alone, "agents/fetcher.py") is None
    elsewhere = scan(write(tmp_path / "used", {**renamed, **caller}) / "agents")
    assert "agents/user.py" in (used(elsewhere, "agents/fetcher.py") or "")
    assert used(elsewhere, "agents/fetcher.py", "agents/user.py") is None


def test_a_record_of_an_older_version_says_where_it_is(tmp_path: Path) -> None:
    """An absolute path beside the output folder is believed; one elsewhere is asked for; a dotted name is itself."""
    state, here, away = tmp_path / "p" / ".graphbus", tmp_path / "p" / "agents", tmp_path / "q" / "agents"
    one = {"proposal_id": "p-1", "root_package": str(here)}
    assert targets._find_start(one, state, None) == str(here)
    with pytest.raises(UsageError, match="which is not the project here"):
        targets._find_start({**one, "root_package": str(away)}, state, None)
    assert targets._find_start({**one, "root_package": "shop.agents"}, state, None) == "shop.agents"
    assert (
        targets._find_start({**one, "root_package": "shop.agents", "root": ".."}, state, "elsewhere") == "shop.agents"
    )


def test_a_use_in_a_file_that_is_only_read_keeps_its_commit() -> None:
    def refuse(diff: Any) -> None:
        raise Refusal("Fetcher.load is used in a notebook.", ("n.ipynb:3",))

    why = reversal._explain_later_use(
        (), {"files": {}}, cast(Any, None), cast(Any, None), cast(Any, SimpleNamespace(refuse_unreachable_uses=refuse))
    )
    assert why == "Fetcher.load is used in a notebook. (n.ipynb:3)"


def test_a_record_keeps_the_contracts_that_moved_and_those_of_its_nodes(tmp_path: Path) -> None:
    """A contract that appears stands after alone; of a node that nothing touched none is kept."""
    old, new = (
        scan(write(tmp_path / folder, {**FILES, "agents/fetcher.py": text}) / "agents")
        for folder, text in (("old", FETCHER), ("new", FETCHER.replace("def fetch(", "def load(")))
    )
    config = BuildConfig(str(tmp_path / "old" / "agents"), output_dir=str(tmp_path / "old" / ".graphbus"))
    kept = history.CommitHistory(tmp_path / "old" / ".graphbus", config, lambda: old)
    made = kept.build_record({"proposal_id": "p-1"}, (), Edited({}, {}), cast(Any, {}), new)["contracts"]
    assert set(made["before"]) == {"Fetcher|fetch|input", "Fetcher|fetch|output"}
    assert set(made["after"]) == {"Fetcher|load|input", "Fetcher|load|output"}


def test_an_undo_restores_the_contracts_that_nobody_changed_since(tmp_path: Path) -> None:
    """And none of the text where somebody changed the lines that it had changed."""
    project = scan(write(tmp_path) / "agents")
    slot = ("Fetcher", "fetch", "output")
    now = slots.collect_contracts(project.agents)[slot]
    files = {"a.py": {"before": history.encode_base64(b"x = 1\n"), "after": history.encode_base64(b"x = 2\n")}}
    reach = cast(Any, SimpleNamespace(refuse_unreachable_uses=lambda diff: None))
    later = cast(Any, SimpleNamespace(describe_later_commits=lambda record, path: ""))

    def taken(text: bytes, after: Any) -> Any:
        said = {"before": {"|".join(slot): TEXT}, "after": {"|".join(slot): after}}
        door = cast(Any, SimpleNamespace(read_file=lambda path: text))
        return reversal.plan_reversal({"files": files, "contracts": said, "diff": []}, project, door, later, reach)

    assert taken(b"x = 2\n", now).known == {slot: TEXT}
    assert taken(b"x = 2\n", TEXT).known == {}
    assert taken(b"x = 2\n", now).applied.after == {"a.py": b"x = 1\n"}
    assert taken(b"x = 3\n", now) == reversal.ReversalRefused(
        "applies", "a.py was changed since, where this commit changed it."
    )


def test_a_name_of_two_scripts_that_stood_there_may_stay() -> None:
    text = "p\u0430y = 1\n"  # the second letter is Cyrillic
    assert [number for number, _ in characters.find_mixed_names("", text)] == [1]
    assert list(characters.find_mixed_names(text, f"x = 2\n{text}")) == []


def test_a_call_is_tried_with_a_few_payloads_and_not_with_all_there_are() -> None:
    fields = {name: {"type": ["string", "integer", "null"]} for name in "abcd"}
    made = payloads.sample_payloads({"type": "object", "properties": fields})
    assert payloads.SAMPLES <= len(made) <= payloads.SAMPLES + payloads.EDGES


def test_a_call_is_tried_at_the_edges_of_what_is_legal() -> None:
    """An empty list, a key left out, a bound: what worked for a typical payload may raise there."""
    offer = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 5}}}
    fields = {"offers": {"type": "array", "items": offer}, "note": {"type": "string", "minLength": 9}}
    made = payloads.sample_payloads({"type": "object", "properties": fields, "required": ["offers"]})
    whole = {"offers": [{"n": 5}], "note": "textttttt"}
    assert made[0] == whole
    for edge in ({"offers": []}, {"offers": [{"n": 1}]}, {"offers": [{}]}):
        assert {**whole, **edge} in made
    assert {"offers": [{"n": 5}]} in made


def test_an_undo_is_not_held_up_by_what_the_type_checker_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, status in ((report_refused("new"), GateStatus.NOT_RUN), (report_proved(), GateStatus.PROVED)):
        monkeypatch.setattr(types, "ask", lambda _, said=said: said)
        assert types.ask_undoing(cast(Any, None))[0] is status


def test_a_suite_that_takes_no_decoy_is_believed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests that are made up at run time stand in no file beside which one could stand that must fail."""
    after = SimpleNamespace(ran=SimpleNamespace(stopped=False), whole=True, ends={"made": "passed"})
    monkeypatch.setattr(verify, "_run", lambda *_: None)
    monkeypatch.setattr(verify, "_build_run_report", lambda *_: None)
    monkeypatch.setattr(verify, "_keep_as_baseline", lambda *_: None)
    monkeypatch.setattr(pytest_suite, "read_outcome", lambda _: after)
    change = SimpleNamespace(copy=lambda _: nullcontext(tmp_path), applied=Edited({}, {}))
    assert verify._compare_runs(cast(Any, change), ["made"], {}, frozenset())[0] is GateStatus.TESTED
