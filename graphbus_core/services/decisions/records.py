"""A consent negotiation as front ends show it: what stands, who said what, the frontier, the record of its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.negotiation.consent.course import tell_course
from graphbus_core.negotiation.consent.narrative import explain_outcome
from graphbus_core.negotiation.consent.optimum.search import find_frontier, is_separable
from graphbus_core.negotiation.consent.report import compute_satisfaction
from graphbus_core.negotiation.consent.scenario.model import Package, Preferences, Scenario
from graphbus_core.negotiation.consent.shut_votes import VOTED, VOTES, find_open_check
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.transcript import render_block
from graphbus_core.negotiation.core import Event, Json
from graphbus_core.services.decisions import ballots, openings
from graphbus_core.services.decisions.private_words import hide_red_line
from graphbus_core.services.questions.forms import STEPS
from graphbus_core.services.questions.seats import Seat, SeatLine, SeatLinks
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent import (
    FinishedNegotiation,
    PreparedNegotiation,
    load_finished_negotiation,
    replay_run,
)
from graphbus_core.sessions.consent.files import Run, Runs
from graphbus_core.sessions.consent.seat_links import (
    KeyHolder,
    describe_seat,
    find_sent_link,
    load_or_create_keys,
    read_picture,
    replace_key,
    take_answer,
)

# A consent negotiation of this project, as a command names it: its id, or none for the latest.


@dataclass(frozen=True)
class DecisionRecord:
    """What was prepared, where it stands, its facts, and how it ended (None: it has not)."""

    run: Run
    prepared: PreparedNegotiation
    state: State
    events: tuple[Event, ...]
    finished: FinishedNegotiation | None

    def require_finished(self) -> FinishedNegotiation:
        """How it ended. Raises UsageError where it has not."""
        if self.finished is None:
            raise UsageError("It is not over yet. `graphbus consent resume` goes on with it.")
        return self.finished


def read_decision(run_id: str | None, folder: Path | None = None) -> DecisionRecord:
    """A kept run. Raises UsageError where there is none of that id."""
    run = Runs(folder or Path.cwd()).find(run_id)
    prepared, state, events = replay_run(run)
    return DecisionRecord(run, prepared, state, events, load_finished_negotiation(run, prepared, state))


# A chart of some hundred pixels cannot show more, and the exact frontier may have thousands.
POINTS = 400  # of the frontier, as many as a chart can tell apart
ENUMERATED = 1_000_000  # outcomes that may be looked at one by one


def describe_decision(saved_run: Run, state: str, detail: str, reader: str | None = None) -> dict[str, Any]:
    """All of one, as `reader` may see it, the name of a seat or None for the operator. `state` is what this process
    knows of it: running, ended, stopped, failed or unfinished."""
    prepared, folded, events = consent.replay_run(saved_run)
    finished = consent.load_finished_negotiation(saved_run, prepared, folded)
    scenario, standing = prepared.scenario, folded.standing
    blocks = []
    opened = find_open_check(events)
    for place, event in enumerate(events):
        if place > opened and isinstance(event, VOTES):
            blocks.append({"who": event.advocate, "kind": VOTED, "text": ""})
            continue
        text = render_block(hide_red_line(event, scenario.preferences, reader))
        if text is not None:
            # Read back from the seed's blocks, so that the page shows the words that the ledger has, and no second
            # wording.
            kind, _, who = text.partition("]")[0].lstrip("[").partition(" - ")
            # Of a vote the reason stands on the same line.
            name, _, reason = who.partition(": ")
            blocks.append({"who": name, "kind": kind.lower(), "text": text.partition("\n")[2] or reason})
    outcome = finished.outcome if finished else None
    return {
        "id": saved_run.id,
        "topic": scenario.topic,
        "state": "ended" if outcome else state,
        "status": outcome.status.value if outcome else "RUNNING",
        "detail": detail,
        "preferences": scenario.preferences.value,
        "turns": folded.turns,
        "max_turns": folded.config.max_turns,
        "advocates": [
            {"name": a.name, "priority": a.priority, "person": a.name in prepared.request.humans}
            for a in scenario.advocates
        ],
        # The log knows whether it ended. What this process remembers may be older.
        "issues": [{"name": i.name, "title": i.title, "options": list(i.options)} for i in scenario.issues],
        "said": blocks,
        "standing": _describe_opening(saved_run, prepared, events)
        if standing is None
        else {"number": standing.number, "terms": _list_terms(standing.terms), "objections": dict(standing.objections)},
        "agreement": _list_terms(finished.agreement) if finished and finished.agreement is not None else None,
        "frontier": _list_frontier(scenario, finished),
        "record": dict(finished.record) if finished and finished.record else None,
        "course": tell_course(events) if outcome else "",
        "ballot": _describe_ballot(ballots.read_ballot(saved_run.folder, prepared.request.humans, reader)),
    }


def _describe_opening(
    saved_run: Run, prepared: PreparedNegotiation, events: tuple[Event, ...]
) -> dict[str, Any] | None:
    """What the first speaker proposes while the others vote on it: each of them was asked, and whoever waits sees it,
    too. By the rules it is put to the table with the first turn, once all have said what matters to them."""
    if any(getattr(event, "terms", None) for event in events):
        return None
    opening = openings.read_opening(saved_run.folder, prepared.request.humans, prepared.scenario)
    return None if opening is None else {"number": 1, "terms": _list_terms(opening["terms"]), "objections": {}}


def _describe_ballot(ballot: Json | None) -> dict[str, Any] | None:
    """A ballot in the words that it was marked in."""
    if ballot is None:
        return None
    titles = dict(STEPS)
    marks = [
        {"issue": issue, "option": option, "points": points, "says": titles.get(points, str(points))}
        for issue, row in ballot.get("points", {}).items()
        for option, points in row.items()
    ]
    return {"marks": marks, "lines": list(ballot.get("lines", [])), "share": ballot.get("share", 0)}


def explain_decision(saved_run: Run, to_win: str | None = None) -> dict[str, Any]:
    """Why it was agreed, and with `to_win` (`issue=option, …`) what would make that deal win. Raises UsageError where
    nobody can say: it is not over, nothing was agreed, or the reasons would give preferences away."""
    prepared, folded, _ = consent.replay_run(saved_run)
    finished = consent.load_finished_negotiation(saved_run, prepared, folded)
    answered = explain_outcome(prepared.scenario, finished.outcome if finished else None, to_win)
    # The words hold a table for a terminal; here the same figures stand in `seats`.
    words, _, rest = answered.text.partition("\n\n|")
    change = rest.rpartition("\n\n")[2] if to_win is not None else None
    return {"words": words, "change": change, "seats": answered.data["advocates"]}


def _list_terms(terms: Any) -> list[dict[str, str | None]]:
    """Issue and option, or lines of words with no issue."""
    if isinstance(terms, Mapping):
        return [{"issue": str(k), "says": str(v)} for k, v in terms.items()]
    return [{"issue": None, "says": str(line)} for line in ([terms] if isinstance(terms, str) else terms)]


def _list_frontier(scenario: Scenario, finished: consent.FinishedNegotiation | None) -> list[dict[str, Any]]:
    """Efficient outcomes by their mean and least satisfaction, and the agreement. Empty where preferences are not told:
    a chart would give away what their owners keep to themselves."""
    if scenario.preferences is not Preferences.DISCLOSED or not scenario.scored_advocates or not scenario.issues:
        return []
    try:
        if scenario.size > ENUMERATED and not is_separable(scenario):
            return []
        points = [
            _build_point(scenario, outcome, False) for outcome, _ in find_frontier(scenario, at_most=POINTS).points
        ]
        if finished is not None and isinstance(finished.outcome.terms, Mapping):
            points.append(_build_point(scenario, scenario.parse_terms(finished.outcome.terms), True))
    except GraphBusError:
        return []  # numpy is missing: the rest is told all the same
    return points


def _build_point(scenario: Scenario, outcome: Package, agreed: bool) -> dict[str, Any]:
    # Clamped: below its minimum a share is negative, and a chart of shares ends at nought.
    shares = [min(1.0, max(0.0, compute_satisfaction(seat, outcome))) for seat in scenario.scored_advocates]
    terms = scenario.build_terms(outcome)
    return {"mean": sum(shares) / len(shares), "least": min(shares), "agreed": agreed, "terms": _list_terms(terms)}


# The seats of a decision behind links: what whoever sits there sees and answers. Nothing else is reached by a key.


class LinkedSeats:
    """The seats of all runs of one project folder. Their links are spent as those of the project's own server are.
    `tell` gets each line that the table is told of its seats."""

    def __init__(self, project: Path, tell: Callable[[str], None] = lambda line: None) -> None:
        self.project, self.tell = project, tell
        self.links = SeatLinks(project / ".graphbus" / "seats" / "links.json")

    def find(self, key: str) -> KeyHolder | None:
        """The seat that a key opens; None for no key."""
        if not key:
            return None
        # A run sends its links itself, maybe while nobody serves them.
        is_known = self.links.find(key) is not None or self.links.explain(key)[0]
        if not is_known and (sent := find_sent_link(self.project, key)) is not None:
            self.links.register(_name_table(sent.run), sent.name, key)
        seat = self.links.find(key)
        run = None if seat is None else self._find_run(seat.table)
        return None if seat is None or run is None or seat.is_invitation else KeyHolder(run, seat.name)

    def sit_down(self, key: str) -> tuple[str, str]:
        """Exchange a link for the key of whoever sits there from now on: the name and that key. Raises KeyError for no
        key, Conflict where it was exchanged already."""
        if self.find(key) is None:
            raise KeyError(key)
        seat, own = self.links.sit_down(key)
        self.tell(self.links.list_story(seat.table)[-1].says)
        return seat.name, own

    def dispute(self, key: str) -> str:
        """Tell the table that somebody else sat down with this link: whose it is. Raises Conflict."""
        seat = self.links.dispute(key)
        self.tell(self.links.list_story(seat.table)[-1].says)
        return seat.name

    def move(self, key: str) -> str:
        """A link by which whoever sits there goes on elsewhere. Raises KeyError for no key."""
        if self.find(key) is None:
            raise KeyError(key)
        seat = self.links.find(key)
        assert seat is not None, "it was found a moment ago"
        return self.links.make_moving_link(seat)

    def renew(self, run: Run, name: str) -> str:
        """A new link to a seat; whoever sat there is out. Raises UsageError for no seat of the run."""
        sent = load_or_create_keys(run)
        if name not in sent:
            raise UsageError(f"{run.id} has no link for {name!r}. Its links: {', '.join(sent) or 'none'}.")
        self.links.register(_name_table(run), name, sent[name])
        key = self.links.issue(_name_table(run), name)
        replace_key(run, name, key)
        return key

    def list_links(self, run: Run) -> list[tuple[str, str]]:
        """Each seat of a run with its link; without one where somebody has sat down."""
        table = _name_table(run)
        sent = load_or_create_keys(run)
        for name, key in sent.items():
            self.links.register(table, name, key)
        return [(name, "" if self.links.is_seated(Seat(table, name)) else key) for name, key in sent.items()]

    def list_story(self, run: Run) -> list[SeatLine]:
        """What became of the seats of a run, oldest first."""
        return self.links.list_story(_name_table(run))

    def describe_seat(self, key: str) -> dict[str, Any] | None:
        """What this key shows; None for no key."""
        seat = self.find(key)
        if seat is None:
            return None
        story = [{"news": line.news, "says": line.says, "at": line.at} for line in self.list_story(seat.run)]
        return {**describe_seat(seat), "seated": self.links.is_session(key), "story": story}

    def render_picture(self, key: str) -> str | None:
        """The picture of the ended negotiation that this key opens a seat of; None for no key, or no picture."""
        seat = self.find(key)
        return None if seat is None else read_picture(seat)

    def answer(self, key: str, question_id: str, body: Json) -> str | None:
        """Take an answer: why it is not one, or None. Raises UsageError for no open question, KeyError for no key."""
        seat = self.find(key)
        if seat is None:
            raise KeyError(key)
        return take_answer(seat, question_id, body)

    def _find_run(self, table: str) -> Run | None:
        return next((run for run in Runs(self.project).list_runs() if _name_table(run) == table), None)


def _name_table(run: Run) -> str:
    return f"consent/{run.id}"
