"""A team end to end: seats, plans, questions to just two, landings, and what bad input does."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from graphbus_core.commit.landing.advance import hold_landing_lock
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import UsageError
from graphbus_core.services import team
from tests.team.conftest import Team

MakeTeam = Callable[[], Team]


def test_a_plan_says_who_uses_it_and_what_breaks_with_a_payload(make_team: MakeTeam) -> None:
    """Each use with its file and line; where a call no longer fits, what it would give."""
    table = make_team().start("ada")
    answer = table.plan("ada", "shop/cart.py::total: remove parameter tax")["changes"][0]
    assert {use["place"] for use in answer["uses"]} == {
        "shop/bill.py:1", "shop/bill.py:5", "shop/cart.py:11", "tests/test_cart.py:1", "tests/test_cart.py:5"
    }  # fmt: skip
    payloads = {entry["place"]: entry["payload"] for entry in answer["breaks"]}
    assert payloads["tests/test_cart.py:5"] == '{"items": [{"price": 10}], "argument 2": 0.1}'
    assert set(payloads) == {"shop/bill.py:5", "shop/cart.py:11", "tests/test_cart.py:5"}


def test_a_key_that_goes_breaks_who_reads_it_alone(make_team: MakeTeam) -> None:
    """The result without the key is the payload."""
    table = make_team().start("ada")
    answer = table.plan("ada", "shop/cart.py::total: remove key tax")["changes"][0]
    assert [(e["place"], e["payload"]) for e in answer["breaks"]] == [("shop/bill.py:5", '{"sum": 0}')]


def test_an_overlap_is_a_question_to_just_the_two(make_team: MakeTeam) -> None:
    """Who changes a symbol and who relies on it are asked; the third hears nothing of it."""
    table = make_team().start("ada", "bob", "eve")
    table.plan("ada", "shop/cart.py::total: remove parameter tax")
    table.plan("eve", "shop/bill.py::count_lines: body")
    asked = table.plan("bob", "shop/bill.py::print_bill: body")["asked"]
    assert [(q["seats"], q["about"], q["topic"]) for q in asked] == [(["ada", "bob"], "shop/cart.py::total", "depends")]
    assert table.turn("eve")["asked"] == []
    assert "q-" not in table.turn("eve")["text"]
    assert len(table.turn("ada")["asked"]) == 1


def test_what_is_edited_and_not_committed_counts(make_team: MakeTeam) -> None:
    """A live diff overlaps like a plan, and the file that is edited is only read."""
    table = make_team().start("ada", "bob")
    table.plan("ada", "shop/cart.py::total: add parameter currency: str")
    table.replace("bob", "shop/bill.py", '    return text.count("x")', "    return total([], 0)")
    before = (table.seats["bob"] / ".git").read_text(), table.git(table.seats["bob"], "status", "--porcelain")
    asked = table.turn("ada")["asked"]
    assert [q["about"] for q in asked] == ["shop/cart.py::total"]
    assert before == ((table.seats["bob"] / ".git").read_text(), table.git(table.seats["bob"], "status", "--porcelain"))


def test_two_hashes_that_are_one_settle_and_another_offer_opens_again(make_team: MakeTeam) -> None:
    """One side alone settles nothing; words of their own are a choice like any other."""
    table = make_team().start("ada", "bob")
    table.plan("ada", "shop/cart.py::Cart.count: add parameter kind: str = ''")
    question = table.plan("bob", "shop/cart.py::Cart.count: add parameter only: bool = False")["asked"][0]
    assert question["topic"] == "parameters"
    table.say("ada", f"@accept {question['id']} {question['choices'][0]['hash']}")
    assert table.turn("bob")["asked"]
    table.say("bob", f"@offer {question['id']}\nkind goes away, only does both")
    offered = table.turn("ada")["asked"][0]["choices"][-1]
    assert offered["text"] == "kind goes away, only does both"
    table.say("ada", f"@accept {question['id']} {offered['hash']}")
    assert table.turn("bob")["asked"] == []
    table.say("bob", f"@offer {question['id']}\nno, the other way round")
    assert table.turn("ada")["asked"]


def test_nobody_waits_in_a_circle(make_team: MakeTeam) -> None:
    """A choice by which two would wait for each other is not offered, and not taken."""
    table = make_team().start("ada", "bob")
    table.plan("ada", "shop/cart.py::total: add key net", "shop/cart.py::Cart.count: body")
    table.plan("bob", "shop/cart.py::total: body", "shop/cart.py::Cart.count: add key kind")
    one, two = table.turn("bob")["asked"]
    table.settle(one)  # ada first
    impossible = [c for c in table.turn("ada")["asked"][0]["choices"] if c["impossible"]]
    assert [c["text"].split()[0] for c in impossible] == ["bob"]
    assert impossible[0]["hash"] not in table.turn("ada")["text"]
    with pytest.raises(UsageError, match="cannot be"):
        table.say("ada", f"@accept {two['id']} {impossible[0]['hash']}")


def test_nobody_lands_over_an_open_question(make_team: MakeTeam) -> None:
    """Neither of the two, by no option; the branch does not move. Settled, the first lands and the second waits."""
    table = make_team().start("ada", "bob")
    question = _overlap(table)
    head = table.git(table.root, "rev-parse", "main")
    for seat in ("ada", "bob"):
        with pytest.raises(UsageError, match=question["id"]):
            table.land(seat)
    assert table.git(table.root, "rev-parse", "main") == head
    table.settle(question)  # ada first
    with pytest.raises(UsageError, match="ada lands first"):
        table.land("bob")
    assert table.land("ada")["landing"]["status"] == "landed"
    text = table.turn("bob")["text"]
    assert "moved under you: shop/cart.py::total: remove parameter tax" in text
    assert table.git(table.root, "status", "--porcelain") == ""


def _overlap(table: Team) -> dict[str, object]:
    table.plan("ada", "shop/cart.py::total: remove parameter tax", "shop/cart.py::Cart.total: body")
    table.replace("ada", "shop/cart.py", "def total(items, tax=0.2):\n", "def total(items):\n    tax = 0.2\n")
    table.replace("ada", "shop/cart.py", "total(self.items, tax)", "total(self.items)")
    table.commit(table.seats["ada"], "ada")
    asked = table.plan("bob", "shop/bill.py::print_bill: body")["asked"]
    table.replace("bob", "shop/bill.py", "print(cart.total(tax=0.1)", "print(cart.total(tax=0.5)")
    table.commit(table.seats["bob"], "bob")
    return asked[0]


def test_a_promise_that_was_not_kept_is_said_to_whom_it_was_made(make_team: MakeTeam) -> None:
    """Who relies on the symbol hears what was planned and did not land; private changes need no plan."""
    table = make_team().start("ada", "bob")
    table.plan("ada", "shop/cart.py::total: add key net", "shop/cart.py::Cart.count: body")
    question = table.plan("bob", "shop/cart.py::total: use")["asked"][0]
    table.settle(question)
    table.replace("ada", "shop/cart.py", "return len(self.items)", "return sum(1 for _ in self.items)")
    table.commit(table.seats["ada"], "ada")
    done = table.land("ada")
    assert done["landing"]["status"] == "landed"
    assert "shop/cart.py::total: add key net" in done["notes"][0]
    assert "ada landed without what it had said: shop/cart.py::total: add key net" in table.turn("bob")["text"]


@pytest.mark.parametrize("road", ["left", "landed"])
def test_a_promise_is_as_broken_by_who_leaves_or_merges_by_hand(make_team: MakeTeam, road: str) -> None:
    """It follows from the log, whichever road a seat took; what its branch did bring is no broken promise."""
    table = make_team().start("ada", "bob")
    table.plan("ada", "shop/cart.py::total: add key net", "shop/cart.py::Cart.count: body")
    table.settle(table.plan("bob", "shop/cart.py::total: use")["asked"][0])
    if road == "left":
        table.say("ada", "@leave")
    else:
        table.replace("ada", "shop/cart.py", "return len(self.items)", "return sum(1 for _ in self.items)")
        table.commit(table.seats["ada"], "ada")
        table.turn("ada")
        table.git(table.root, "merge", "-q", "--no-ff", "-m", "by hand", "team/ada")
    told = table.turn("bob")["text"]
    assert f"ada {road} without what it had said: shop/cart.py::total: add key net" in told
    assert "without what it had said: shop/cart.py::Cart.count" not in told  # nobody relies on it
    assert "without" not in table.turn("bob")["text"]


def test_a_change_that_nobody_was_told_of_waits_for_who_depends_on_it(make_team: MakeTeam) -> None:
    """Nothing was planned of it; the diff alone makes it a question before it lands."""
    table = make_team().start("ada", "bob")
    table.plan("ada", "shop/cart.py::Cart.count: body")
    table.plan("bob", "shop/bill.py::print_bill: body")
    table.replace("ada", "shop/cart.py", '{"sum": price, "tax": price * tax}', '{"sum": price}')
    table.commit(table.seats["ada"], "ada")
    with pytest.raises(UsageError, match="remove key tax"):
        table.land("ada")


def test_a_silent_seat_loses_its_claims_and_takes_them_up_by_a_plan(make_team: MakeTeam) -> None:
    """The others go on; a seat whose files move is not silent."""
    table = make_team().start("ada", "bob", lease_s=600)
    question = _overlap(table)
    table.now += 400
    assert table.turn("ada")["asked"]
    table.now += 700
    assert table.turn("ada")["asked"] == []
    assert table.land("ada")["landing"]["status"] == "landed"
    assert "You have no claims any more" in table.turn("bob")["text"]
    with pytest.raises(UsageError, match="no claims any more"):
        table.say("bob", f"@accept {question['id']} aa")
    assert table.plan("bob", "shop/bill.py::print_bill: body")["status"] == "active"


def test_a_worktree_that_vanished_is_named_and_the_others_go_on(make_team: MakeTeam) -> None:
    """What its branch holds still counts; a branch that is gone takes the claims with it."""
    table = make_team().start("ada", "bob")
    question = _overlap(table)
    shutil.rmtree(table.seats["bob"])
    told = table.turn("ada")
    assert "is gone" in told["text"]
    assert question["id"] in told["text"]
    table.git(table.root, "worktree", "prune")
    table.git(table.root, "branch", "-D", "team/bob")
    assert table.turn("ada")["asked"] == []
    assert table.land("ada")["landing"]["status"] == "landed"


def test_a_rewritten_branch_is_named_and_read_anew(make_team: MakeTeam) -> None:
    """Its changes are what the new branch holds."""
    table = make_team().start("ada", "bob")
    _overlap(table)
    table.turn("bob")
    table.replace("bob", "shop/bill.py", "tax=0.5", "tax=0.6")
    table.git(table.seats["bob"], "commit", "-q", "-a", "--amend", "-m", "again")
    assert "was rewritten" in table.turn("ada")["text"]


BAD: list[tuple[str, str]] = [
    ("shop/cart.py::totl: body", "Did you mean total"),
    ("shop/crt.py::total: body", "There is shop/cart.py::total"),
    ("total: body", "Say which"),
    ("shop/cart.py::total: add", "is there already"),
    ("new_one: add", "needs its file"),
    ("shop/cart.py::total: improve", "is not a change"),
]


@pytest.mark.parametrize(("line", "why"), BAD, ids=[line for line, _ in BAD])
def test_a_plan_that_cannot_be_changes_nothing(make_team: MakeTeam, line: str, why: str) -> None:
    """A sentence that says what to write, and the plan of before stands."""
    table = make_team().start("ada")
    table.plan("ada", "shop/cart.py::Cart.count: body")
    with pytest.raises(UsageError, match=why):
        table.plan("ada", "shop/bill.py::print_bill: body", line)
    assert table.status()["seats"][0]["claims"] == ["shop/cart.py::Cart.count: body"]


def test_two_seats_on_one_worktree_are_refused(make_team: MakeTeam) -> None:
    """So is the branch that all land on, and a second team."""
    table = make_team().start("ada")
    with pytest.raises(UsageError, match="sits on this working tree"):
        team.join(table.seats["ada"], "bob")
    with pytest.raises(UsageError, match="what all land on"):
        team.join(table.root, "bob")
    with pytest.raises(UsageError, match="a team here already"):
        team.start(table.root)
    with pytest.raises(UsageError, match="Nobody sits in"):
        team.turn(table.root)


def test_without_a_team_or_a_repository_a_sentence_says_so(make_team: MakeTeam, tmp_path: Path) -> None:
    """What to do next stands in it."""
    table = make_team()
    with pytest.raises(UsageError, match="team start"):
        team.show_status(table.root)
    (tmp_path / "plain").mkdir()
    with pytest.raises(UsageError, match="not in a working tree"):
        team.start(tmp_path / "plain")


def test_words_are_taken_whole_or_not_at_all(make_team: MakeTeam) -> None:
    """One bad directive, and nothing of the turn counts."""
    table = make_team().start("ada", "bob")
    with pytest.raises(UsageError, match="no question 'q-0000'"):
        table.say("ada", "@tell bob\nhello\n@accept q-0000 ab")
    assert "hello" not in table.turn("bob")["text"]


def test_a_turn_where_nothing_is_contested_is_short(make_team: MakeTeam) -> None:
    """At most 1,500 characters, with six seats that each plan eight changes."""
    table = make_team().start("ada", "bob", "eve", "fay", "gil", "hal")
    for number, seat in enumerate(table.seats):
        lines = [f"shop/{seat}.py::make_{seat}_{i}: add (first, second=None) -> dict" for i in range(8)]
        assert len(table.plan(seat, *lines)["text"]) <= 1_500
        assert number < 6
    for seat in table.seats:
        assert len(table.turn(seat)["text"]) <= 1_500
        assert len(table.turn(seat)["text"]) <= 1_500


def test_the_log_replays_to_the_same_state(make_team: MakeTeam) -> None:
    """The facts are a fold: read without a lock they say what the session said."""
    from graphbus_core.sessions.team.table import TeamTable

    table = make_team().start("ada", "bob")
    question = _overlap(table)
    table.settle(question)
    seen = table.status()
    assert team.describe_team(TeamTable(table.root).read_state()) == seen


def test_a_seat_that_never_lands_holds_up_nobody(make_team: MakeTeam) -> None:
    """It settled to land first and falls silent: when its lease is over the others are told, and land."""
    table = make_team().start("ada", "bob", "eve", lease_s=100)
    table.plan("ada", "shop/cart.py::total: remove parameter tax")
    asked = table.plan("bob", "shop/bill.py::print_bill: body")["asked"]
    table.settle(asked[0])
    table.replace("bob", "shop/bill.py", "    print(cart", "    print('bill')\n    print(cart")
    table.commit(table.seats["bob"], "bill")
    with pytest.raises(UsageError, match="you settled that ada lands first"):
        table.land("bob")
    table.now += 200
    assert table.land("bob")["landing"]["good"]
    assert "nothing was heard of it" in table.turn("eve")["text"]


def test_a_long_turn_is_cut_and_says_how_to_have_it_whole(make_team: MakeTeam) -> None:
    """Long words, many claims and landings of others: 1,500 characters, and all of it where it is asked for."""
    table = make_team().start("ada", "bob")
    table.say("bob", "@tell ada\n" + "word " * 390)
    table.plan("bob", *(f"shop/new.py::{'long_name_' * 8}{i}: add (value) -> dict" for i in range(30)))
    text = table.turn("ada")["text"]
    assert len(text) <= 1_500
    assert "bob tells you: word word" in text
    assert "`graphbus team turn --all` shows all of it." in text
    whole = team.turn(table.seats["ada"], everything=True, clock=table.clock)["text"]
    assert "word " * 389 in whole


def test_who_lands_while_another_lands_waits_for_its_turn(make_team: MakeTeam) -> None:
    """Not a refusal that an agent would have to understand."""
    table = make_team().start("ada")
    table.replace("ada", "shop/bill.py", 'count("x")', 'count("y")')
    table.commit(table.seats["ada"], "count")
    with hold_landing_lock(Repository(table.root)):
        landing = threading.Thread(target=table.land, args=("ada",))
        landing.start()
        landing.join(0.5)
        assert landing.is_alive()
    landing.join(120)
    assert [entry["seat"] for entry in table.status()["landings"]] == ["ada"]
