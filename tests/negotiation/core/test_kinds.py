"""Kinds of facts stand at their classes: one that is added is written, read and known without a second list."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import graphbus_core
from graphbus_core.contracts.diff import changes  # noqa: F401  (its kinds are changes too)
from graphbus_core.contracts.diff.changes import Change
from graphbus_core.logs.jsonl import JsonlLog, LogReader
from graphbus_core.model.operation import OPERATIONS
from graphbus_core.negotiation.core import AnswerRefused, Event
from graphbus_core.negotiation.proposal.fold import _FOLDS
from graphbus_core.participants.llm.prompts import PROPOSAL_RULES
from graphbus_core.sessions.document.folder import DirectoryLog

# Every kind that stands in a log somewhere. A word goes from here only with an edition that reads the old logs still.
PROTOCOLS = {
    "graphbus_core.negotiation.proposal.events": (
        "answer_refused arbiter_silent arbitration_opened commit_approved commit_failed commit_prepared "
        "commits_opened evaluation_opened evaluator_silent negotiation_ended negotiation_opened "
        "proposal_agreed proposal_committed proposal_contested proposal_deferred proposal_dropped "
        "proposal_evaluated proposal_heard_again proposal_queued proposal_rejected proposal_stood_again "
        "proposal_superseded proposal_tabled proposal_withdrawn proposals_made proposer_silent "
        "question_settled round_closed round_started ruled stop_requested"
    ),
    "graphbus_core.negotiation.consent.events": (
        "ballot_committed ballot_forfeited ballot_opened check_called check_failed consented deadlock_found discussed "
        "ended masks_told objected passed position_missed position_stated proposal_tabled stood_aside"
    ),
    "graphbus_core.negotiation.document.events": (
        "adopted agreement_reached agreements_stood analysis_handed drafts_merged edit_undone end_recalled "
        "ended explained final_drafted finished issue_filed issue_reopened issue_ruled issue_worded issues_escalated "
        "judge_seated move_refused noted opened registered registration_closed settings_changed source_read "
        "turn_closing turn_opened turn_skipped turn_taken"
    ),
    "graphbus_core.negotiation.team.events": (
        "choice_accepted choice_offered landed lapsed observed planned promise_broken question_closed question_raised "
        "question_settled seat_left seat_taken synced team_move_refused team_opened told"
    ),
    "graphbus_core.sessions.interface": (
        "contract_file_adopted contract_tabled interface_agreed interface_opened pair_accepted rule_allowed side_seated"
    ),
}
OPERATIONS_WRITTEN = """
    add_agent add_field add_file add_import add_method decorate define delete_method edit map_field remove_agent
    remove_definition remove_field remove_import rename_field rename_method replace_body retype_field
    set_attribute set_docstring set_optional undecorate unmap_field write_test
"""
CHANGES_WRITTEN = """
    annotation_changed branch_added branch_removed contract_declared default_changed field_added field_removed
    field_retyped made_optional made_required parameter_added parameter_kind_changed parameter_made_optional
    parameter_made_required parameter_removed redescribed together undecided unsatisfiable
"""
ADDED = '''
@dataclass(frozen=True)
class AddedLater(Event, kind="added_later"):
    """A kind of a later edition."""

    what: str


'''


def classes(base: type[Any]) -> set[type[Any]]:
    """All classes of the product below this one."""
    return {
        cls
        for one in base.__subclasses__()
        for cls in (one, *classes(one))
        if getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    }


@pytest.mark.parametrize("module", PROTOCOLS)
def test_the_kinds_of_a_log_are_the_words_that_stand_in_logs(module: str) -> None:
    """All of them and nothing else."""
    events = import_module(module).EVENTS
    assert sorted(events) == PROTOCOLS[module].split()
    assert all(cls.kind == kind for kind, cls in events.items())


def test_every_fact_that_is_written_is_a_kind_of_its_protocol() -> None:
    """What only other facts are made of has no kind; every other class stands in one table, each under its own word."""
    tables = [import_module(module).EVENTS for module in PROTOCOLS]
    ours = {cls for cls in classes(Event) if cls.__module__.startswith("graphbus_core.") and cls.kind}
    assert ours == {cls for events in tables for cls in events.values()}
    assert sum(len(events) for events in tables) == len(ours)


def test_operations_and_changes_keep_their_words() -> None:
    """They stand in diffs, in logs and in what `contract diff --json` prints."""
    assert sorted(OPERATIONS) == sorted(OPERATIONS_WRITTEN.split())
    assert {cls.kind for cls in classes(Change)} == set(CHANGES_WRITTEN.split())
    assert Change.kind == "change"


def test_every_operation_is_told_to_models_and_to_readers() -> None:
    """An operation that no prompt names is never proposed."""
    told, page = PROPOSAL_RULES, (Path(__file__).parents[3] / "docs" / "commit.md").read_text(encoding="utf-8")
    assert [op for op in OPERATIONS if f'"op":"{op}"' not in told or f"`{op}`" not in page] == []


@pytest.mark.parametrize("base", [Event, Change])
def test_a_class_that_says_no_kind_is_refused(base: type[Any]) -> None:
    """Neither its own name nor the kind of its base may end up in a log."""
    with pytest.raises(TypeError, match=r'Nameless.*kind="…"'):
        type("Nameless", (base,), {})
    assert type("Renamed", (base,), {}, kind="as_before").kind == "as_before"


@pytest.mark.parametrize("module", PROTOCOLS)
def test_an_added_kind_needs_no_second_place(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One class more in the source, and both logs write it and read it back."""
    file = import_module(module).__file__
    assert file is not None
    before, mark, after = Path(file).read_text(encoding="utf-8").partition("EVENTS: Mapping")
    later: Any = ModuleType(f"{module}_later")
    monkeypatch.setitem(sys.modules, later.__name__, later)  # dataclasses look their own module up there
    exec(compile(before + ADDED + mark + after, file, "exec", dont_inherit=True), vars(later))
    fact = later.AddedLater("something")
    assert fact.kind == "added_later"
    with JsonlLog(tmp_path / "one.jsonl", later.EVENTS, durable=False) as log:
        log.append([fact])
    assert [entry.event for entry in LogReader(tmp_path / "one.jsonl", later.EVENTS)] == [fact]
    shared = DirectoryLog(tmp_path / "two.jsonl", later.EVENTS)
    shared.append([fact])
    shared.flush()
    again = DirectoryLog(tmp_path / "two.jsonl", later.EVENTS)
    again.refresh()
    assert [entry.event for entry in again] == [fact]


def test_no_second_list_of_kinds_stands_anywhere() -> None:
    """No list, set, tuple or table of the product names most of a protocol's kinds, by class or by word."""
    tables = [import_module(module).EVENTS for module in PROTOCOLS]
    known = [set(kinds) | {cls.__name__ for cls in kinds.values()} for kinds in tables]
    found = set()
    root = Path(graphbus_core.__file__).parent
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        # Parsed only where the words stand at all: the rest of the product needs no tree.
        if any(sum(name in text for name in names) * 3 > len(names) for names in known):
            for names in _listed(ast.parse(text)):
                if any(len(names & one) * 3 > len(one) for one in known):  # a kind counts twice: two thirds of them
                    found.add(path.relative_to(root).as_posix())
    # Which function folds a fact: the behaviour of each kind, and the one table where each must stand.
    assert found == {"negotiation/proposal/fold.py"}
    events = import_module("graphbus_core.negotiation.proposal.events").EVENTS
    assert set(_FOLDS) == set(events.values()) - {AnswerRefused}


def _listed(tree: ast.AST) -> Iterator[set[str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            yield {name for one in (node.keys if isinstance(node, ast.Dict) else node.elts) for name in _name(one)}


def _name(node: ast.expr | None) -> Iterator[str]:
    match node:
        case ast.Attribute(value=inner, attr="kind"):
            yield from _name(inner)
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
            yield name
