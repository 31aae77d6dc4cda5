"""A negotiation in a directory of Markdown files that anybody may read and write (seed 004, design §9).

The log in `.graphbus/log.jsonl` is the truth; the files are how it is spoken. Every operation here: take the lock,
fold what is new, bring log and files together (`directory_table`), judge, record, write the files. Before recording,
nothing has happened.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.core import Entry
from graphbus_core.negotiation.document import agreement, rules, signing, validation
from graphbus_core.negotiation.document.events import Noted, TurnOpened, TurnSkipped, TurnTaken
from graphbus_core.negotiation.document.fates import build_conflict_issue
from graphbus_core.negotiation.document.model import Accept, Edits, Mark, Phase, Reason, Settings, Words
from graphbus_core.negotiation.document.questions import parse_issue_number, render_issue, slugify
from graphbus_core.negotiation.document.state import State, evolve
from graphbus_core.sessions.document import files, reconciliation as reconciling, turns
from graphbus_core.sessions.document.locked_folder import LockedFolder, hold_lock
from graphbus_core.sessions.document.review import Review, resolve_issue_stem, review
from graphbus_core.storage import seat_token as seats

FORMING_S = 0.5  # how long a bare directory may be somebody's negotiation that is just being made


@dataclass(frozen=True, slots=True)
class OperationResult:
    """What an operation has to say: nothing is refused where `reasons` is empty."""

    reasons: tuple[Reason, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return not self.reasons

    @property
    def code(self) -> str:
        """The code of the first reason."""
        return self.reasons[0].code if self.reasons else ""


class NegotiationDirectory(LockedFolder):
    """One negotiation, and everything that can be done in it."""

    # -- registration -------------------------------------------------------------------------------------------------

    def init(self, settings: Settings, through_git: bool = False) -> OperationResult:
        """Open a negotiation. `data["initializer"]` is False where somebody was first. Code: over. `through_git`: it is
        shared with other machines, and everybody pulls and pushes from now on.

        Raises OSError where it cannot be made, Lost where another machine opened it at the same time."""
        if through_git:
            from graphbus_core.sessions.document.git_sync import share

            share(self.root)
        self.root.parent.mkdir(parents=True, exist_ok=True)
        try:
            self.root.mkdir()
        except FileExistsError:
            self._wait_for_forming()
        self.hidden.mkdir(exist_ok=True)
        with self._open_visit(moving=True):
            self.fold()
            if not self.exists or (self.state.phase is Phase.UNOPENED and self.read_text("meta.md") is None):
                self.submit("", {"move": "open", "settings": settings.to_dict()})
                self.record()
                return OperationResult(data={"initializer": True})
        with self.hold(moving=False) as state:
            return OperationResult(rules.check_join(state), {"initializer": False})

    def _wait_for_forming(self) -> None:
        """Another script may have made this directory a moment ago, and be about to write into it."""
        ends = time.monotonic() + FORMING_S
        while time.monotonic() < ends and not self.exists and not self.hidden.exists():
            if next(os.scandir(self.root), None) is not None:
                return
            time.sleep(0.01)

    def register(
        self,
        name: str,
        participant: str = "",
        seat: str = "",
        bring: Callable[[], None] = lambda: None,
        token: str = "",
    ) -> OperationResult:
        """Take a seat. Codes: bad_name, taken, seated, over, closed, full. `bring` is called once the seat is granted,
        before it is taken: what it writes is read with the start."""
        with self.hold() as state:
            if reasons := rules.check_registration(state, name, participant):
                return OperationResult(reasons)
            bring()
            move = {"participant": participant, "seat": seat, "token": seats.compute_digest(token)}
            self.submit(name, {"move": "register", **move})
            if state.has_started:
                turns.record_sources(self)
            return OperationResult(data={"name": name, "agents": list(state.agents)})

    def set_judge(self, who: str) -> OperationResult:
        """From now on `who` ("human", a name, "" for nobody) rules on what is escalated."""
        with self.hold() as state:
            if state.settings.judge != who:
                self.submit(who, {"move": "judge"})
            return OperationResult()

    # -- the turns ----------------------------------------------------------------------------------------------------

    def poll(self, name: str = "") -> OperationResult:
        """Whose turn it is: `data["turn"]` is "yours", "wait" or "done". To ask is a sign of life of the holder."""
        with self._hold_alive(name, moving=False) as state:
            return OperationResult(data=self._describe_turn(state, name))

    @contextmanager
    def _hold_alive(self, name: str, moving: bool = True) -> Iterator[State]:
        """As `held`, and whoever asks is alive: this is known before anybody is judged silent."""

        def mark_alive() -> None:
            if name and self.exists and self.read_turn_word() == name:
                self.watch.record_heartbeat()

        mark_alive()
        with self.hold(moving, mark_alive) as state:
            if name and state.holder == name and not self.visit.behind:
                self._write_or_warn(lambda: self.speech.renew(name))
            yield state

    @staticmethod
    def _describe_turn(state: State, name: str) -> dict[str, Any]:
        waiting = [issue.stem for issue in state.find_awaiting_judge()]
        is_holder = bool(name) and state.holder == name and not (waiting and state.are_all_settled())
        yours = is_holder or (state.settings.rigorous and name in state.list_analysing())
        turn = "done" if state.phase is Phase.DONE else "yours" if yours else "wait"
        return {
            "turn": turn,
            "phase": str(state.phase),
            "holder": state.holder,
            "number": state.turn,
            "poll_s": state.settings.poll_interval_s,
            "agents": list(state.agents),
            "registered": not name or name in state.agents,
            "started": state.has_started,
            "ended": state.ended,
            "judge": waiting,
            "settled": state.are_all_settled(),
        }

    def add_issue(self, topic: str, who: str = "", text: str = "") -> OperationResult:
        """File an issue: `data["file"]` is its name. It is the holder's, once the turns go round. `text`: its words,
        where they are known; the empty form else."""
        with self._hold_alive(who) as state:
            author = state.holder
            if (who or author) and (reasons := self.may_act(state, who or author)):
                return OperationResult(reasons)
            if who and state.holder and who != state.holder:
                return OperationResult(rules.check_turn_holder(state, who))
            if reasons := validation.check_filing(state, author):
                return OperationResult(reasons)
            highest_number = max(
                [0, *map(parse_issue_number, self.shelf.list_stems("issues")), *map(parse_issue_number, state.issues)]
            )
            title = " ".join(topic.split()) or "Issue"
            stem = f"{highest_number + 1:02d}-{slugify(topic)}"
            self.submit(author, {"move": "file", "stem": stem, "title": title, "text": text or render_issue(title)})
            return OperationResult(
                data={"file": f"{stem}.md", "path": f"issues/{stem}.md", "number": highest_number + 1, "by": author}
            )

    def add_conflict(self, places: str, who: str = "") -> OperationResult:
        """File an issue on two statements that cannot both stand, named by their places."""
        found = build_conflict_issue(self.read_state(working=True), places)
        if found is None:
            todo = "Name them as fates.md does, such as plan:12 and other:7."
            return OperationResult((Reason(f"{places!r} is not two places of two sources.", todo, code="conflict"),))
        return self.add_issue(found[0], who, render_issue(*found))

    def write(
        self,
        name: str,
        issue: str,
        text: str,
        kind: str = "position",
        status: str = "",
        file: str = "",
        accept: str | None = None,
    ) -> OperationResult:
        """A position, a challenge, an offer, the acceptance of one (`accept`: its hash, "" for the newest), or with
        `status` a new Status of `issue`: recorded at once and put in its file. `data["as"]` says what it was taken as:
        an AGREED with words of one's own is an offer."""
        with self._hold_alive(name) as state:
            if reasons := self.may_act(state, name) or rules.check_turn_holder(state, name):
                return OperationResult(reasons)
            stem = resolve_issue_stem(issue, state)
            if stem is None:
                return OperationResult((rules.build_no_such_issue(state, issue),))
            try:
                self.shelf.read_text(validation.position_file(stem))
            except files.UnreadableFile as e:
                todo = "Mend it (`graphbus negotiate recover DIR` keeps it aside and puts back what the log has)."
                what = f"The file is unreadable: {e}."
                return OperationResult((Reason(what, todo, validation.position_file(stem), code="altered"),))
            target_issue = state.issues[stem]
            number = state.count_rounds(target_issue, name) + 1
            if accept is not None:
                edits = Edits(accepts=(Accept(stem, accept or agreement.find_newest_offer(target_issue, name)),))
            elif status:
                edits = Edits(marks=(Mark(stem, status, text),))
            elif kind == "offer":
                edits = Edits((Words(stem, text, "position", number, offer=True),))
            else:
                edits = Edits((Words(stem, text, kind, number),))
            edits, faults = rules.judge_edits(state, name, edits)
            if faults:
                return OperationResult(tuple(Reason(r.what, r.todo, file, 0, r.code) for _, r in faults))
            self.submit(name, {"move": "note", **edits.to_dict()})
            reply_data = {
                "issue": stem,
                "file": validation.position_file(stem),
                **agreement.describe_edits(target_issue, name, edits),
            }
            return OperationResult(data=reply_data)

    def hand_off(self, name: str) -> OperationResult:
        """Hand the turn over with everything that was written in the files, or say every reason why not."""
        with self._hold_alive(name) as state:
            if reasons := self.may_act(state, name) or rules.check_turn_holder(state, name):
                return OperationResult(reasons)
            turn_review = review(state, self.shelf, name)
            if reasons := rules.check_hand_off(state, name, turn_review.edits):
                return OperationResult(reasons)
            self._record_turn(name, turn_review, "hand-off")
            return OperationResult(data=self._describe_turn(state, name))

    def _record_turn(self, name: str, turn_review: Any, how: str) -> None:
        turns.record_sources(self)
        turns.record_worded_issues(self, turn_review)
        edits, _ = rules.judge_edits(self.state, name, turn_review.edits)
        turns.end_turn(self, name, how, edits, turn_review.edits)

    def finish(self) -> OperationResult:
        """Accept final.md as it lies there, in the holder's name; with the last acceptance it ends. `data["left_out"]`
        names what it leaves out. Code where others have still to accept it: waits."""
        with self.hold() as state:
            if state.phase is Phase.DONE:
                return OperationResult(rules.check_finish(state, Edits(), ""), {"left_out": list(state.left_out)})
            if state.holder and (reasons := self.may_act(state, state.holder)):
                return OperationResult(reasons)
            turn_review = review(state, self.shelf, state.holder)
            final = self.read_text("final.md") or ""
            audited = bool((self.read_text("coverage-audit.md") or "").strip())
            if reasons := rules.check_finish(state, turn_review.edits, final, audited):
                if all(r.code == "final" for r in reasons) and self._draft_missing_document(turn_review.edits):
                    what = "final.md was missing; now it stands there, made of the accepted decisions."
                    todo = "Read it, edit around them, and finish again."
                    return OperationResult((Reason(what, todo, "final.md", code="final"),))
                return OperationResult(tuple(map(self._explain_unreadable, reasons)))
            turns.sign_final(self, turn_review, final, audited)
            data = {"left_out": list(state.left_out), "hash": state.draft_hash}
            if self.state.phase is Phase.DONE:
                return OperationResult(data=data)
            what = f"You have accepted it, and it is not over: {signing.explain_waiting(self.state)}"
            return OperationResult((Reason(what, "Hand off.", "final.md", code="waits"),), data)

    def describe_final(self) -> tuple[str, str]:
        """What the holder has to know before it accepts final.md as it lies there, and whether that is the end; ""
        where it is not time for that."""
        with self.hold(moving=False) as state:
            after = rules.simulate_agreements(rules.simulate_turn(state, review(state, self.shelf, state.holder).edits))
            final = self.read_text("final.md") or ""
            if not state.holder or not final.strip() or not after.are_all_settled():
                return "", ""
            digest = signing.compute_lying_hash(after, final)
            last = signing.is_last_acceptance(after, state.holder, digest)
            ends = "Yours is the last acceptance: with it the negotiation ends." if last else ""
            return "\n".join(signing.describe_signing(after, state.holder, final, digest)), ends

    def may_act(self, state: State, name: str) -> tuple[Reason, ...]:
        """Why this command may not act for `name`: its seat has a token, and another or none was given. Code: seat."""
        if state.tokens.get(name, "") in ("", seats.compute_digest(self.token)):
            return ()
        what = f"{name} sits here with a token, and this command did not give it."
        return (Reason(what, "Give --seat FILE, as `start` or `register` named it.", code="seat"),)

    def hold_for_move(self, name: str) -> AbstractContextManager[State]:
        """The state held for a move of `name`, which is alive."""
        return self._hold_alive(name)

    def review_turn(self, name: str) -> Review:
        """What the holder has in its files; only while held."""
        return review(self.state, self.shelf, name)

    def prepare_final_document(self, after: State) -> str:
        """final.md as somebody wrote it, else as the accepted decisions make it; the generated one is put there."""
        self.speech.write_draft(after)
        return self.read_text("final.md") or ""

    def _draft_missing_document(self, edits: Edits) -> bool:
        """Put the document that the accepted decisions make in the place of a final.md that is missing."""
        existing_text = self.read_text("final.md")
        if (existing_text or "").strip() or (
            existing_text is None and files.read_signature(self.root / "final.md") is not None
        ):
            return False
        self.speech.write_draft(rules.simulate_agreements(rules.simulate_turn(self.state, edits)))
        return True

    def _explain_unreadable(self, reason: Reason) -> Reason:
        """Of a document that was taken for missing: why it cannot be read, if that is so."""
        if reason.code in ("final", "audit"):
            try:
                self.shelf.read_text(reason.file)
            except files.UnreadableFile as e:
                return Reason(f"{reason.file} cannot be read: {e}.", e.todo, reason.file, code=reason.code)
        return reason

    def rule(self, issue: str, text: str, by: str = "human") -> OperationResult:
        """Decide an escalated issue in a judge's place."""
        with self.hold() as state:
            stem = resolve_issue_stem(issue, state) or issue
            if reasons := rules.check_ruling(state, stem, text):
                return OperationResult(reasons)
            self.submit(by, {"move": "rule", "issue": stem, "text": text})
            return OperationResult(data={"issue": stem})

    def reopen(self, issue: str, by: str = "human") -> OperationResult:
        """Give an issue back to the agents, with fresh rounds: a person's act."""
        with self.hold() as state:
            stem = resolve_issue_stem(issue, state) or issue
            if reasons := rules.check_reopening(state, stem):
                return OperationResult(reasons)
            self.submit(by, {"move": "reopen", "issue": stem})
            return OperationResult(data={"issue": stem})

    def mark_analysis_done(self, name: str) -> OperationResult:
        """This agent's independent analysis is in `analysis/NAME.md`. Said again, it changes nothing."""
        with self.hold() as state:
            if name in state.agents and state.settings.rigorous and name in state.analyses:
                return OperationResult(data=self._describe_turn(state, name))
            if (
                reasons := self.may_act(state, name)
                or rules.check_analysis(state, name)
                or self._explain_missing_analysis(name)
            ):
                return OperationResult(reasons)
            (self.root / "analysis" / f".{name}-done").touch()
            reconciling.reconcile(self, self.speech)
            return OperationResult(data=self._describe_turn(state, name))

    def _explain_missing_analysis(self, name: str) -> tuple[Reason, ...]:
        file = f"analysis/{name}.md"
        try:
            text = self.shelf.read_text(file) or ""
        except files.UnreadableFile as e:
            return (Reason(f"The analysis cannot be read: {e}.", e.todo, file, code="final"),)
        if text.strip():
            return ()
        todo = "Write there what the sources agree and disagree on, then say that it is done."
        return (Reason("The analysis is missing or empty.", todo, file, code="empty"),)

    # -- looking and mending ------------------------------------------------------------------------------------------

    def read_state(self, working: bool = False) -> State:
        """The state as it stands, for those who only read; with `working`, also what the holder has in its files."""
        with self.hold(moving=False) as state:
            copy = state.clone()
            if working and state.holder:
                edits, _ = validation.select_admissible(
                    state, state.holder, review(state, self.shelf, state.holder).edits
                )
                evolve(copy, Noted(state.holder, state.turn, **edits.to_dict()))
            return copy

    def list_facts(self) -> list[Entry]:
        """Every fact, with its number and time."""
        with self.hold(moving=False):
            return list(self.log)

    def list_recent_skips(self) -> list[TurnSkipped]:
        """The last turns that were skipped, as of the operation before this call."""
        recent_skips: list[TurnSkipped] = []
        for entry in reversed(self.log.tail(1000)):
            if isinstance(entry.event, TurnSkipped):
                recent_skips.append(entry.event)
            if len(recent_skips) == 5:
                break
        return recent_skips[::-1]

    def explain_skip(self, name: str) -> str:
        """What to tell an agent whose last turn was skipped, "" where it was not; as of the operation before."""
        for entry in reversed(self.log.tail(200)):
            event = entry.event
            if isinstance(event, TurnTaken | TurnOpened) and event.holder == name:
                break
            if isinstance(event, TurnSkipped) and event.holder == name:
                return f"Your turn {event.turn} was skipped ({event.why}); what you had written in the files is kept."
        return ""

    def find_problems(self) -> tuple[Reason, ...]:
        """What in the files is not as the log has it, the holder's unfinished work apart."""
        with self.hold(moving=False) as state:
            if behind := self.visit.behind:
                return (Reason(f"{behind[:1].upper()}{behind[1:]}", code="behind"),)
            turn_review = review(state, self.shelf, state.holder)
            reasons = list(turn_review.edits.flaws)
            if state.phase is not Phase.POSITIONS:
                outside = [(validation.position_file(w.issue), w.line) for w in turn_review.edits.words]
                reasons += [Reason("An entry outside a turn.", "", *place) for place in outside]
            return tuple(reasons)

    def recover(self) -> OperationResult:
        """Put the files back as the log has them, keep aside what differs, and keep the holder's own honest work."""
        if not self.exists:
            raise self.build_missing_error()
        damaged = None
        if self.log.path.exists():
            with hold_lock(self.hidden / "lock", self.lock_timeout_s):
                damaged = self.log.salvage()
        with self.hold() as state:
            turn_review = review(state, self.shelf, state.holder)
            edits, reasons = validation.select_admissible(state, state.holder, turn_review.edits)
            flawed = [r for r in reasons if r in turn_review.edits.flaws and r.code != "almost"]  # its author's to say
            if state.holder:
                broken = {r.file for r in flawed}
                keep = Edits(
                    tuple(w for w in edits.words if validation.position_file(w.issue) in broken),
                    tuple(m for m in edits.marks if validation.position_file(m.issue) in broken),
                )
                if not keep.is_empty:
                    self.submit(state.holder, {"move": "note", **keep.to_dict()})
            turns.undo_files(self, flawed)
            data = {"undone": [r.to_dict() for r in self.mended], "log": str(damaged) if damaged else ""}
            return OperationResult(data=data)
