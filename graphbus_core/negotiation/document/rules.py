"""The rules: what may be done, by whom, when. Pure questions about a state; each answer is a tuple of reasons.

An empty tuple means yes. All reasons are given at once, because a refused agent has paid for its turn already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from graphbus_core.negotiation.document import agreement
from graphbus_core.negotiation.document.agreement import is_last_round
from graphbus_core.negotiation.document.events import AgreementReached, Noted
from graphbus_core.negotiation.document.model import (
    MAX_DOCUMENT,
    MAX_TEXT,
    NAME,
    RESERVED,
    Edits,
    Phase,
    Reason,
    Remark,
    Status,
)
from graphbus_core.negotiation.document.state import Issue, State, evolve
from graphbus_core.negotiation.document.text.statements import extract_visible_text
from graphbus_core.negotiation.document.validation import (
    FORGIVEN,
    Edit,
    Reasons,
    find_faults,
    find_text_fault,
    issue_file,
    position_file,
)


def check_registration(state: State, name: str, participant: str = "") -> Reasons:
    """Why `name` cannot take a seat. Codes: bad_name, seated, taken, over, closed, full."""
    if not NAME.fullmatch(name):
        return (
            Reason(
                f"{name!r} is not an agent's name.", "Use a-z, 0-9 and -, beginning with a letter.", code="bad_name"
            ),
        )
    if name in RESERVED:
        return (
            Reason(
                f"{name!r} is a word of turn.md, not a name.", "Choose another, such as agent-alpha.", code="bad_name"
            ),
        )
    # An identity sits once. A second name for it would give one agent two voices in every agreement.
    mine = participant and state.find_seat(participant)
    if mine and mine != name:
        todo = f"Go on as {mine}; another agent of the same session gives an identity of its own: --participant ID."
        return (Reason(f"You already sit here as {mine} ({participant}).", todo, code="seated"),)
    if name in state.agents:
        todo = f"That is you: go on as {name}." if mine else "Take the next name."
        return (Reason(f"The name {name} is taken.", todo, code="taken"),)
    if reasons := check_join(state):
        return reasons
    if state.phase is not Phase.REGISTRATION:
        return (Reason("Registration is closed.", "Ask the others to open a new negotiation.", code="closed"),)
    if len(state.agents) >= state.settings.expected_agents:
        return (Reason("All seats are taken.", "Ask the others to open a new negotiation.", code="full"),)
    return ()


def check_join(state: State) -> Reasons:
    """Why there is nothing to join any more. Code: over."""
    if state.phase is not Phase.DONE:
        return ()
    what = f"The negotiation is over: {state.ended}." if state.ended else "The negotiation is over: read final.md."
    return (Reason(what, "For a new one name another DIR.", code="over"),)


def check_turn_holder(state: State, who: str) -> Reasons:
    """Why `who` does not hold the turn. Codes: unknown, done, early, turn."""
    if state.phase is Phase.DONE:
        return (Reason("The negotiation is over.", "Read final.md.", code="done"),)
    if who not in state.agents:
        return (_build_unknown_reason(who),)
    # Before the phase is looked at: its own analysis is what is missing, and that is what it can do something about.
    if who in state.list_analysing():
        todo = f"Write analysis/{who}.md, then `graphbus negotiate analysis-done DIR {who}`."
        return (Reason("The turns begin when every analysis is in.", todo, "phase.md", 1, "early"),)
    if state.phase is not Phase.POSITIONS:
        return (Reason("The turns have not begun.", "Wait with `graphbus negotiate wait-turn`.", code="early"),)
    if state.holder != who:
        return (
            Reason(
                f"The turn is {state.holder}'s, not {who}'s.",
                "What you wrote stays in the files; poll until it is your turn.",
                "turn.md",
                1,
                "turn",
            ),
        )
    return ()


def _build_unknown_reason(who: str) -> Reason:
    return Reason(
        f"{who or 'Nobody'} is not registered here.", "Use the name that you registered.", "agents.md", 0, "unknown"
    )


def check_analysis(state: State, who: str) -> Reasons:
    """Why no analysis is expected of `who`. Codes: unknown, early, late, none."""
    if who in state.list_analysing() and state.settings.rigorous:
        return ()
    if who not in state.agents:
        return (_build_unknown_reason(who),)
    if state.phase is Phase.REGISTRATION:
        return (
            Reason("Registration is open.", "Wait for the start with `graphbus negotiate wait-turn`.", code="early"),
        )
    todo = "File what is to be decided with `graphbus negotiate new-issue`, in your turn."
    if not state.settings.rigorous:
        return (Reason("No analysis is wanted here: it is not --rigorous.", todo, code="none"),)
    return (Reason("The analyses are over.", todo, code="late"),)


def owes_word(state: State, issue: Issue, who: str) -> bool:
    """Whether `who` may not hand over before it has said something on this issue."""
    # Its author has said with the issue what there is to say.
    if issue.turn == state.turn and issue.by == who:
        return False  # filed just now: its two sides say enough
    if issue.is_open:
        return not agreement.has_said(issue, who)
    # Agreed by the others, and not yet standing: who had no say may still object, and so must be heard.
    return issue.status is Status.AGREED and not issue.stands and not state.stands(issue) and who not in issue.authors


def check_hand_off(state: State, who: str, edits: Edits) -> Reasons:
    """Why this turn cannot be handed over as it is: every reason at once."""
    if reasons := check_turn_holder(state, who):
        return reasons
    edits, edit_faults = judge_edits(state, who, edits)
    reasons = (*edits.flaws, *(why for _, why in edit_faults))
    # An issue that is not there makes all further reasons guesses about a state that will not be.
    if any(r.code == "missing" for r in reasons):
        return reasons
    # Forgiven faults keep their words in, so that what is owed is judged as if they were mended.
    after = _simulate_edits(state, who, edits, tuple(f for f in edit_faults if f[1].code not in FORGIVEN))
    return (*reasons, *find_owed(after, who, edits))


def judge_edits(state: State, who: str, edits: Edits) -> tuple[Edits, tuple[tuple[Edit, Reason], ...]]:
    """The edits with each AGREED read as an acceptance or an offer, and what of them breaks a rule."""
    wrong = tuple((item, why) for item, why in find_faults(state, who, edits) if item in edits.marks)
    fit_marks = tuple(mark for mark in edits.marks if not any(item is mark for item, _ in wrong))
    edits = agreement.resolve_marks(state, who, replace(edits, marks=fit_marks))
    return edits, (*wrong, *find_faults(state, who, edits))


def find_owed(after: State, who: str, edits: Edits) -> Iterator[Reason]:
    """What the holder has still to do, judged on the state as it would be."""
    marked = {m.issue: m for m in edits.marks}
    # The first remark on an issue counts, so they are read backwards into the mapping.
    beside = {r.issue: r for r in reversed(edits.remarks)}
    for stem in edits.blank:
        if stem in after.issues and not after.issues[stem].entries:
            yield Reason(
                "You filed this issue in this turn, and it is still the empty form.",
                f"Write there what is to be decided, or your position in {position_file(stem)}.",
                issue_file(stem),
                1,
                "blank",
            )
    for issue in after.issues.values():
        # Blank forms are told first; an issue without a question needs no word on it.
        if owes_word(after, issue, who) and not _has_touched(after, issue, who):
            yield _build_unsaid_reason(after, issue, who, beside.get(issue.stem))
        elif _is_undecided(after, issue, who):
            what = f"This is your round {after.count_rounds(issue, who) + 1} of {after.settings.max_rounds} on "
            todo = "Accept an offer, make your last one (AGREED with the decision), or set ESCALATE with a summary."
            if agreement.must_answer_last_offer(issue, who):
                what = f"{issue.last_offer_by} has made its last offer, and this is your one reply to it, on "
                todo = "Accept it, or set ESCALATE with a summary."
            mark_line = marked[issue.stem].line if issue.stem in marked else 0
            yield Reason(f"{what}{issue.title!r}.", todo, position_file(issue.stem), mark_line, "last_round")


def _has_touched(after: State, issue: Issue, who: str) -> bool:
    """Whether `who` did something with an issue in this turn: wrote, accepted, or settled it."""
    accepted = issue.accepted_turn.get(who) == after.turn and who in issue.accepted
    settled = issue.marked_turn == after.turn and issue.marked_by == who and not issue.is_open
    return bool(after.has_written_now(issue, who)) or accepted or settled


def _build_unsaid_reason(after: State, issue: Issue, who: str, words: Remark | None) -> Reason:
    """The holder owes a word on an issue. Where words stand `beside` the entries, they may be meant as that."""
    what = "is open" if issue.is_open else "is agreed by others, but not by you yet"
    heading = f"`## {who}'s position (round {after.count_rounds(issue, who) + 1})`"
    file = position_file(issue.stem)
    if words is None:
        return Reason(
            f"{issue.title!r} {what}, and you wrote nothing on it.", f"Append a {heading}.", file, code="owed"
        )
    like = re.search(r"position|challenge", words.text.split("\n", 1)[0], re.IGNORECASE)
    where = "looks like your heading" if like else "and what follows stand under no heading"
    return Reason(
        f"{issue.title!r} {what}, and there is no entry of yours: line {words.line} {where}.",
        f"Write {heading} {'there' if like else 'above it, if it is yours'}.",
        file,
        words.line,
        "owed",
    )


def _is_undecided(after: State, issue: Issue, who: str) -> bool:
    """Whether `who` is in its last round on an issue and has neither accepted nor made its last offer."""
    # Filed in this turn: there was no round before in which an offer could have been made.
    if not issue.is_open or issue.turn >= after.turn or not is_last_round(after, issue, who):
        return False
    if issue.accepted_turn.get(who) == after.turn and who in issue.accepted:
        return False
    return issue.last_offer_by != who


def check_finish(state: State, edits: Edits, final: str, audited: bool = False) -> Reasons:
    """Why the negotiation cannot be finished by its holder after these edits. `audited`: coverage-audit.md is there."""
    if state.phase is Phase.DONE:
        # To finish again what is finished is not a mistake; a script repeats itself after a crash.
        return () if state.final else (Reason(f"It ended without a document: {state.ended}.", code="done"),)
    if state.phase is not Phase.POSITIONS or not state.holder:
        return (Reason("The turns have not begun.", "Register, and wait for the start.", code="early"),)
    who = state.holder
    edits, edit_faults = judge_edits(state, who, edits)
    reasons = edits.flaws + tuple(why for _, why in edit_faults)
    if any(r.code == "missing" for r in reasons):
        return reasons
    # On the state as it would be with this turn's own words: its acceptance may be the last that was missing.
    after = simulate_agreements(_simulate_edits(state, who, edits, edit_faults))
    if not after.issues:
        reasons += (
            Reason("There is no issue, so nothing was agreed.", "File one with new-issue.", "issues/", code="empty"),
        )
    waiting = {issue.stem for issue in after.find_awaiting_judge()}
    reasons += tuple(
        why for issue in after.issues.values() if (why := _explain_unsettled(after, issue, waiting)) is not None
    )
    if not extract_visible_text(final).strip():
        reasons += (
            Reason("final.md is missing or empty.", "Write it, with every decision.", "final.md", code="final"),
        )
    elif len(final) > MAX_DOCUMENT:
        # A bound on what one fact holds, since the log is folded on each command.
        reasons += (Reason("final.md is too long.", f"{MAX_DOCUMENT:,} characters at most.", "final.md", code="final"),)
    if state.settings.rigorous and not audited:
        reasons += (
            Reason(
                "coverage-audit.md is missing or empty.",
                "Say there where each point of the sources went, before you finish.",
                "coverage-audit.md",
                code="audit",
            ),
        )
    return reasons


def simulate_turn(state: State, edits: Edits) -> State:
    """The state as it would be with what of these edits keeps the rules."""
    edits, edit_faults = judge_edits(state, state.holder, edits)
    return _simulate_edits(state, state.holder, edits, edit_faults)


def simulate_agreements(state: State) -> State:
    """A copy of the state in which every agreement that everybody's acceptances make has been reached."""
    state = state.clone()
    for issue in [*state.issues.values()]:
        if (new_agreement := agreement.find_agreement(state, issue)) is not None:
            evolve(
                state,
                AgreementReached(
                    issue.stem, new_agreement.hash, new_agreement.by, new_agreement.text, new_agreement.accepted
                ),
            )
    return state


def _explain_unsettled(after: State, issue: Issue, waiting: set[str]) -> Reason | None:
    """Why the negotiation cannot end with this issue as it is."""
    # Standing, or about to stand when the turn ends.
    if issue.stands or after.stands(issue):
        return None
    file = position_file(issue.stem)
    if issue.is_open:
        return Reason(
            f"{issue.title!r} is open{_describe_waiting(after, issue)}.",
            "Hand off until it is settled.",
            file,
            code="open",
        )
    if issue.status is Status.AGREED:
        rest = [a for a in after.agents if a not in issue.authors | issue.excused | {issue.marked_by}]
        return Reason(
            f"{issue.title!r} is agreed, but {', '.join(rest)} had no say yet.", "Hand off.", file, code="open"
        )
    if issue.stem in waiting:
        judge = after.settings.judge
        return Reason(f"{issue.title!r} waits for the ruling of {judge}.", "Wait for it.", file, code="judge")
    return None


def _describe_waiting(after: State, issue: Issue) -> str:
    """Whose acceptance the newest offer on an open issue waits for."""
    for digest, entry in reversed(agreement.collect_offers(issue).items()):
        if entry.offer:
            _, rest = agreement.split_acceptances(after, issue, entry, digest)
            return f": the offer {digest} of {entry.by} waits for {', '.join(rest)}" if rest else ""
    return ""


def build_no_such_issue(state: State, name: str) -> Reason:
    """None or several are meant by `name`; which there are."""
    some = ", ".join(list(state.issues)[:20]) + (", …" if len(state.issues) > 20 else "")
    todo = f"Name one of {some}." if some else "There is none yet: file one with `graphbus negotiate new-issue`."
    return Reason(f"There is no one issue {name!r}.", todo, code="missing")


def check_ruling(state: State, stem: str, text: str) -> Reasons:
    """Why a judge cannot rule on this issue now."""
    issue = state.issues.get(stem)
    if issue is None:
        return (build_no_such_issue(state, stem),)
    if state.phase is not Phase.POSITIONS:
        return (Reason("Rulings are given while the turns go round.", code="early"),)
    if issue.status is not Status.ESCALATE:
        return (Reason(f"{issue.title!r} is {issue.status}, not escalated.", "Leave it to the agents.", code="open"),)
    # An empty ruling would close an issue with nothing, and final.md must hold every decision.
    if not text.strip() or len(text) > MAX_TEXT:
        return (Reason("A ruling is the decision in words.", "Give it with --text or --file.", code="empty"),)
    why = find_text_fault("", text)
    return (why,) if why is not None else ()


def check_reopening(state: State, stem: str) -> Reasons:
    """Why a person cannot give this issue back to the agents."""
    issue = state.issues.get(stem)
    if issue is None:
        return (build_no_such_issue(state, stem),)
    if state.phase is not Phase.POSITIONS:
        return (Reason("It can be reopened while the turns go round.", code="early"),)
    if issue.is_open:
        return (Reason(f"{issue.title!r} is open.", code="open"),)
    return ()


def _simulate_edits(state: State, who: str, edits: Edits, edit_faults: tuple[tuple[Edit, Reason], ...]) -> State:
    """The state as it would be, with all that breaks no rule."""
    # By identity: of two edits that say the same one may be wrong.
    bad = {id(item) for item, _ in edit_faults}
    fit_edits = Edits(
        tuple(w for w in edits.words if id(w) not in bad),
        tuple(m for m in edits.marks if id(m) not in bad),
        tuple(i for i in edits.issues if id(i) not in bad),
        accepts=tuple(a for a in edits.accepts if id(a) not in bad),
    )
    return evolve(state.clone(), Noted(who, state.turn, **fit_edits.to_dict()))
