"""The sealed mediator: few questions, a good deal, a bound that holds; nobody sees another's answers."""

from __future__ import annotations

import asyncio
import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphbus_core.cli.main import main
from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.consent.elicitation.mediator import SealedMediator, prove_regret_bound
from graphbus_core.negotiation.consent.elicitation.preference_model import PreferenceModel
from graphbus_core.negotiation.consent.elicitation.questions import (
    Query,
    QueryKind,
    compute_grades,
)
from graphbus_core.negotiation.consent.scenario.model import Advocate, Conditional, Issue, Preferences, Scenario
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates.elicitation_seats import ScoreTableSeat, SharedTerminal
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.elicitation import (
    QUESTIONS,
    PreferenceElicitation,
    ask_everyone,
    assign_question_seats,
    hold_vote,
    open_session,
    strip_tables,
)
from graphbus_core.sessions.consent.files import Runs
from graphbus_core.sessions.consent.verification import verify_file
from tests.consent.worlds import ROOT

pytestmark = pytest.mark.timeout(400)  # against a hang; a busy machine is slow
STORAGE = ROOT / "examples" / "consent" / "storage.yaml"
SEALED = Preferences.SEALED
ISSUES = (
    Issue("store", ("postgres", "dynamo", "files"), None, "The store", {"files": "Plain files"}),
    Issue("budget", ("2000", "4000", "6000"), (2000.0, 4000.0, 6000.0)),
    Issue("encryption", ("disk", "field")),
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_fits_the_answers_stays_and_what_does_not_goes() -> None:
    fitting = PreferenceModel((3, 2), 1)
    assert Query(QueryKind.OPTIONS, issue=0).apply_answer(fitting, [4, 0, 10])
    assert Query(QueryKind.OPTIONS, issue=1).apply_answer(fitting, [0, 10])
    assert fitting.ends == {0: (1, 2), 1: (0, 1)}
    worth = (fitting.points[:, :3] - fitting.points[:, 1:2])[fitting.points[:, 2] > 0.5]
    share = worth[:, 0] / worth[:, 2]
    assert (share >= 0.29).all()
    assert (share <= 0.51).all()
    assert share.std() > 0.01, "a cloud, not a point"
    assert Query(QueryKind.SWING, ((1, 0), (2, 1))).apply_answer(fitting, [10, 3])
    before = fitting.points.copy()
    clash = Query(QueryKind.PAIR, ((1, 0), (2, 0)))
    assert not clash.apply_answer(fitting, 0), (
        "the worst option of the most important issue is not better than its best"
    )
    assert (fitting.points == before).all()


def table(seed: int) -> Scenario:
    """Three parties over three issues of three options."""
    rng = np.random.default_rng(seed)
    issues = tuple(Issue(f"i{k}", ("a", "b", "c")) for k in range(3))
    seats = []
    for name in "PQR":
        scores = tuple(tuple(map(float, rng.integers(0, 30, 3))) for _ in issues)
        low, high = sum(map(min, scores)), sum(map(max, scores))
        seats.append(Advocate(name, priority=name, scores=scores, minimum=low + 0.2 * (high - low)))
    return Scenario(f"t{seed}", issues, tuple(seats), preferences=Preferences.SEALED)


@pytest.mark.no_cover
def test_a_good_deal_is_found_in_at_most_fifteen_questions_and_the_bound_holds() -> None:
    ratios = []
    for seed in range(2):
        scenario = table(seed)
        asking = PreferenceElicitation(
            strip_tables(scenario), {a.name: ScoreTableSeat(scenario, a) for a in scenario.advocates}, None
        )

        async def whole(asking: PreferenceElicitation = asking) -> tuple[SealedMediator, float]:
            mediator = await asking.begin()
            return mediator, await asking.run(mediator)

        mediator, bound = asyncio.run(whole())
        standing = mediator.choose_package()
        assert standing is not None
        assert max(asking.counts.values()) <= QUESTIONS

        def product(outcome: Any, scenario: Scenario = scenario) -> float:
            return float(np.prod([max(0.0, a.score(outcome) - a.floor) for a in scenario.advocates]))

        best = max(map(product, scenario.iterate_outcomes()))
        ratios.append(product(standing.package) / best)
        assert 1 - ratios[-1] <= bound + 1e-6
    assert sum(ratios) / len(ratios) >= 0.9


def test_the_bound_is_proven_for_every_preference_that_fits_not_for_those_that_were_drawn() -> None:
    """Preferences are drawn anew, far from the mediator's cloud; none that fits has a greater regret."""
    scenario = table(4)
    seats = {a.name: ScoreTableSeat(scenario, a) for a in scenario.advocates}
    asking = PreferenceElicitation(strip_tables(scenario), seats, None)

    async def part() -> SealedMediator:
        mediator = await asking.begin()
        for number in range(4):
            for name in scenario.names:
                question = mediator.choose_next_question(name)
                if question is not None:
                    await asking._ask_question(mediator, name, number, question)
        return mediator

    mediator = asyncio.run(part())
    standing, proven = mediator.choose_package(), mediator.prove_bound()
    assert standing is not None
    assert 0.0 < proven.bound < 1.0
    packages = np.array(list(scenario.iterate_outcomes()))
    place = int(np.flatnonzero((packages == np.array(standing.package)).all(axis=1))[0])
    worst = 0.0
    for seed in range(2):
        gains = []
        for n, name in enumerate(scenario.names):
            fresh = PreferenceModel(mediator.shape, 10_000 + 10 * seed + n, points=60)
            fresh.set_minimum(mediator.parties[name].least)
            assert all(question.apply_answer(fresh, answer) for question, answer in asking.said[name])
            rows = np.array(fresh.list_answer_rows())
            fits = (fresh.points @ rows.T >= -1e-9).all(axis=1)  # the cloud has a little slack; the proof has none
            gains.append(fresh.compute_gains(packages)[:, fits])
        count = min(g.shape[1] for g in gains)
        if count:
            total = np.prod([np.maximum(g[:, :count], 0) for g in gains], axis=0)
            worst = max(worst, float((1 - total[place] / total.max(axis=0)).max()))
    assert 0.0 < worst <= proven.bound + 1e-6
    tighter = prove_regret_bound(mediator.parties, standing.package, packages[:1], True).bound
    assert tighter <= proven.bound, "fewer rivals, less regret"
    beyond = prove_regret_bound(mediator.parties, standing.package, packages[:1], False).bound
    assert beyond >= proven.bound - 1e-9, "what is not listed is reckoned with"


def test_without_an_answer_about_an_issue_nothing_is_proven() -> None:
    scenario = table(1)
    mediator = SealedMediator(strip_tables(scenario))
    assert mediator.compute_bound() == 1.0


@pytest.mark.parametrize(("second", "within", "shown"), [(6, 1.0, 0), (8, 2.0, 0), (0, 2.0, 1)])
def test_a_person_may_be_a_few_steps_off_before_anything_is_shown_back(second: int, within: float, shown: int) -> None:
    """The same things are graded twice, differently: taken as exactly as fits, and shown back where nothing does."""
    names = ("P", "Q")
    scenario = Scenario("t", (Issue("i", ("a", "b", "c")),), tuple(Advocate(n) for n in names), preferences=SEALED)
    back = []

    class Person:
        async def answer(self, ask: Ask, view: View) -> Reply:
            if ask.kind == "contradiction":
                back.append(ask.about["answers"])
                return Reply({"choice": 2})
            if ask.kind == "compare":
                one = ask.about["question"]["kind"] == "options"
                return Reply({"grades": [10, 5, 0] if one else [10, second, 0]})
            return Reply({"lines": []} if ask.kind == "red_lines" else {"share": 0})

    asking = PreferenceElicitation(scenario, dict.fromkeys(names, Person()), None)

    async def whole() -> SealedMediator:
        mediator = await asking.begin()
        await asking._ask_question(mediator, "P", 0, Query(QueryKind.OPTIONS, issue=0))
        await asking._ask_question(mediator, "P", 1, Query(QueryKind.DEALS, ((0,), (1,), (2,))))
        return mediator

    mediator = asyncio.run(whole())
    assert mediator.parties["P"].within == within
    assert len(back) == shown
    assert len(asking.said["P"]) == 2 - shown
    assert all(len(answers) == 2 for answers in back)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ([10, 0, 4], None),
        ([3, 3, 3], None),
        ([10, 1, 4], "least gets 0"),
        ([9, 0, 4], "gets 10"),
        ([10, 0], "3 grades"),
        ([10, 0, 4.5], "whole numbers"),
        ([10, 0, True], "whole numbers"),
        ([10, 0, 11], "whole numbers"),
        ("10 0 4", "3 grades"),
        (None, "3 grades"),
    ],
)
def test_what_is_no_set_of_grades_is_said_in_words(answer: Any, why: str | None) -> None:
    told = Query(QueryKind.OPTIONS, issue=0).explain_fault((3, 2), answer)
    assert (told is None) if why is None else (told is not None and why in told)


@given(st.lists(st.floats(0, 100).map(lambda worth: round(worth, 6)), min_size=2, max_size=6))
def test_true_grades_never_exclude_the_truth(worths: list[float]) -> None:
    """Whatever the worths are, what the grades are taken to mean holds for them."""
    fitting = PreferenceModel((len(worths),), 0, points=2)
    grades = compute_grades(worths, min(worths), max(worths))
    question = Query(QueryKind.OPTIONS, issue=0)
    assert question.explain_fault((len(worths),), grades) is None
    rows, bounds = question.build_inequalities(fitting, grades)
    span = max(max(worths) - min(worths), 1e-12)  # the unit of worths is free
    for row, bound in zip(rows, bounds, strict=True):
        assert float(row @ np.array(worths)) / span >= bound - 1e-6 - 0.011


class Dies(Exception):
    """As if the process were killed."""


class Counting:
    """A truthful seat that remembers what it was asked, and dies on request."""

    def __init__(self, inner: ScoreTableSeat, seen: list[str], dies_at: int = -1) -> None:
        self.inner, self.seen, self.dies_at = inner, seen, dies_at

    async def answer(self, ask: Ask, view: View) -> Reply:
        """As the table says; once, never."""
        if len(self.seen) == self.dies_at:
            raise Dies
        self.seen.append(ask.id)
        assert all(not name.startswith("answers_of") for name in ask.about)
        return await self.inner.answer(ask, view)


@pytest.mark.no_cover
def test_killed_in_the_middle_nothing_is_asked_twice_and_it_ends_the_same(tmp_path: Path) -> None:
    def run(folder: str, dies: tuple[int, ...]) -> tuple[list[str], Any]:
        seen: list[str] = []
        prepared = consent.prepare(consent.Request(str(STORAGE), preferences="sealed", seal="x"))
        kept = Runs(tmp_path / folder).create()
        for at in (*dies, -1):
            seats = {
                a.name: Counting(ScoreTableSeat(prepared.scenario, a), seen, at) for a in prepared.scenario.advocates
            }
            try:
                return seen, ask_everyone(prepared, kept, seats)
            except Dies:
                prepared = consent.resume(kept)
        raise AssertionError("it never ended")

    whole, finished = run("a", ())
    pieces, again = run("b", (5, 20))
    assert sorted(pieces) == sorted(whole)
    assert len(set(pieces)) == len(pieces)
    assert again.agreement == finished.agreement


def test_answers_are_kept_apart_and_only_their_owner_can_read_them(tmp_path: Path) -> None:
    prepared = consent.prepare(consent.Request(str(STORAGE), preferences="sealed", output="d.md", comms="comms.md"))
    kept = Runs(tmp_path).create()
    finished = ask_everyone(prepared, kept, assign_question_seats(prepared))
    assert finished.outcome.status == "DONE"
    files = sorted((kept.folder / "seats").iterdir())
    assert [f.stem for f in files] == sorted(prepared.scenario.names)
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert all(json.loads(line)["ask"].endswith(file.stem) for line in file.read_text().splitlines())
    public = Path("d.md").read_text() + Path("comms.md").read_text() + kept.log.read_text()
    assert "compare" not in public
    assert '"grades"' not in public
    assert "is not known" in public  # some scores of this table depend on each other
    assert verify_file("d.md").wrong == ()
    assert verify_file("d.md").holds
    text = Path("d.md").read_text()
    Path("d.md").write_text(text.replace("is not known", "is known"))
    assert not verify_file("d.md").holds


class Fickle(ScoreTableSeat):
    """Takes the worst for the best once, late."""

    def __init__(self, scenario: Scenario, seat: Advocate) -> None:
        super().__init__(scenario, seat)
        self.shown: list[str] = []

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Truthful, but for one answer; and says which one it was."""
        if ask.kind == "contradiction":
            self.shown = list(ask.about["answers"].values())
            return Reply({"choice": len(self.shown)})
        return await super().answer(ask, view)


def test_contradictory_answers_are_shown_back_and_the_one_that_was_not_meant_is_forgotten() -> None:
    scenario = table(3)
    seats = {a.name: Fickle(scenario, a) for a in scenario.advocates}
    asking = PreferenceElicitation(strip_tables(scenario), seats, None)

    async def whole() -> tuple[SealedMediator, int]:
        mediator = await asking.begin()
        await asking.run(mediator)
        kept = len(asking.said["P"])
        swing, grades = next((q, a) for q, a in asking.said["P"] if q.kind is QueryKind.SWING)
        first = grades.index(10)
        best, worst = list(swing.packages[1]), list(swing.packages[1])
        worst[first] = swing.packages[0][first]
        question = Query(QueryKind.PAIR, (tuple(worst), tuple(best)))
        asking.said["P"].append((question, 0))
        assert not mediator.learn("P", question, 0)
        await asking._resolve_contradiction(mediator, "P", 99)
        return mediator, kept

    mediator, kept = asyncio.run(whole())
    assert len(seats["P"].shown) >= 2
    assert len(asking.said["P"]) == kept
    assert mediator.choose_package() is not None


@pytest.mark.parametrize(("when", "is_proven"), [({0: {0}, 1: {2}}, False), ({0: {0}}, True)])
def test_where_issues_depend_on_each_other_no_bound_is_stated_and_the_voters_are_told(
    when: dict[int, set[int]], is_proven: bool
) -> None:
    plain = table(2)
    joint = Conditional({i: frozenset(options) for i, options in when.items()}, 40.0)
    scenario = replace(plain, advocates=(replace(plain.advocates[0], conditionals=(joint,)), *plain.advocates[1:]))
    asking = PreferenceElicitation(
        strip_tables(scenario), {a.name: ScoreTableSeat(scenario, a) for a in scenario.advocates}, None
    )
    log = MemoryLog()

    async def whole() -> float:
        mediator = await asking.begin()
        bound = await asking.run(mediator)
        await hold_vote(asking, mediator, bound, open_session(asking.scenario, 30, log))
        return bound

    bound = asyncio.run(whole())
    assert (bound < 1) is is_proven
    assert asking.depends == (frozenset() if is_proven else {scenario.names[0]})
    assert max(asking.counts.values()) <= 15
    said = "".join(str(e.event) for e in log)
    assert ("is not known" in said) is not is_proven


def test_people_at_one_terminal_are_asked_in_words_and_never_for_a_number_of_points(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scenario = replace(table(2), advocates=tuple(replace(a, scores=None, minimum=None) for a in table(2).advocates))
    screen: list[str] = []

    def read(prompt: str) -> str:
        asked = "\n".join(screen[-8:])
        if "empty to end" in prompt:
            return ""
        if "onsent" in prompt:
            return "c"
        if "How good must a deal" in asked:
            return "10"
        question = max(n for n, line in enumerate(screen) if not line.startswith("  "))
        count = len(screen) - 1 - question
        return " ".join(["10", *["5"] * (count - 2), "0"]) if "from 0 to 10" in screen[question] else "1"

    terminal = SharedTerminal(read, lambda text: screen.append(text))
    asking = PreferenceElicitation(scenario, dict.fromkeys(scenario.names, terminal), None)

    async def whole() -> SealedMediator:
        mediator = await asking.begin()
        await asking.run(mediator)
        return mediator

    mediator = asyncio.run(whole())
    assert mediator.choose_package() is not None
    assert not any("score" in s or "points" in s for s in screen)
    assert any("only you should see this" in s for s in screen)


def test_the_command_asks_tables_one_deal_and_leaves_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consent", "ask", str(STORAGE), "--output", "d.md", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "DONE"
    assert told["scores"] is not None
    assert main(["consent", "verify", "d.md"]) == 0
    assert main(["consent", "ask"]) == 2
