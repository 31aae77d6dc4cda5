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

from graphbus_core.document.paper import files
from graphbus_core.document.paper.review import Review, review, stem_of
from graphbus_core.document.table import reconcile as reconciling, turns
from graphbus_core.document.table.lock import locked
from graphbus_core.document.table.locked_folder import LockedFolder
from graphbus_core.files import seat as seats
from graphbus_core.negotiation.core import Entry
from graphbus_core.negotiation.document import agreement, judging, rules
from graphbus_core.negotiation.document.questions import issue_text, number_of, slug
from graphbus_core.negotiation.document.said.facts import Noted, TurnOpened, TurnSkipped, TurnTaken
from graphbus_core.negotiation.document.said.state import State, evolve
from graphbus_core.negotiation.document.said.vocabulary import Accept, Edits, Mark, Phase, Reason, Settings, Words

FORMING_S = 0.5  # how long a bare directory may be somebody's negotiation that is just being made


@dataclass(frozen=True, slots=True)
class Told:
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

    def init(self, settings: Settings, through_git: bool = False) -> Told:
        """Open a negotiation. `data["initializer"]` is False where somebody was first. Code: over. `through_git`: it is
        shared with other machines, and everybody pulls and pushes from now on.

        Raises OSError where it cannot be made, Lost where another machine opened it at the same time."""
        if through_git:
            from graphbus_core.document.table.clone import share

            share(self.root)
        self.root.parent.mkdir(parents=True, exist_ok=True)
        try:
            self.root.mkdir()
        except FileExistsError:
            self._let_form()
        self.hidden.mkdir(exist_ok=True)
        with self._visiting(moving=True):
            self.fold()
            if not self.exists or (self.state.phase is Phase.UNOPENED and self.text("meta.md") is None):
                self.submit("", {"move": "open", "settings": settings.to_dict()})
                self.record()
                return Told(data={"initializer": True})
        with self.held(moving=False) as state:
            return Told(rules.to_join(state), {"initializer": False})

    def _let_form(self) -> None:
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
    ) -> Told:
        """Take a seat. Codes: bad_name, taken, seated, over, closed, full. `bring` is called once the seat is granted,
        before it is taken: what it writes is read with the start."""
        with self.held() as state:
            if reasons := rules.to_register(state, name, participant):
                return Told(reasons)
            bring()
            move = {"participant": participant, "seat": seat, "token": seats.digest(token)}
            self.submit(name, {"move": "register", **move})
            if state.started:
                turns.read_sources(self)
            return Told(data={"name": name, "agents": list(state.agents)})

    def judge(self, who: str) -> Told:
        """From now on `who` ("human", a name, "" for nobody) rules on what is escalated."""
        with self.held() as state:
            if state.settings.judge != who:
                self.submit(who, {"move": "judge"})
            return Told()

    # -- the turns ----------------------------------------------------------------------------------------------------

    def poll(self, name: str = "") -> Told:
        """Whose turn it is: `data["turn"]` is "yours", "wait" or "done". To ask is a sign of life of the holder."""
        with self._held_alive(name, moving=False) as state:
            return Told(data=self._standing(state, name))

    @contextmanager
    def _held_alive(self, name: str, moving: bool = True) -> Iterator[State]:
        """As `held`, and whoever asks is alive: this is known before anybody is judged silent."""

        def alive() -> None:
            if name and self.exists and self.word() == name:
                self.watch.heartbeat()

        alive()
        with self.held(moving, alive) as state:
            if name and state.holder == name and not self.visit.behind:
                self._speak(lambda: self.speech.renew(name))
            yield state

    @staticmethod
    def _standing(state: State, name: str) -> dict[str, Any]:
        waiting = [issue.stem for issue in state.awaiting_judge()]
        held = bool(name) and state.holder == name and not (waiting and state.all_settled())
        yours = held or (state.settings.rigorous and name in state.analysing())
        turn = "done" if state.phase is Phase.DONE else "yours" if yours else "wait"
        return {
            "turn": turn,
            "phase": str(state.phase),
            "holder": state.holder,
            "number": state.turn,
            "poll_s": state.settings.poll_interval_s,
            "agents": list(state.agents),
            "registered": not name or name in state.agents,
            "started": state.started,
            "ended": state.ended,
            "judge": waiting,
            "settled": state.all_settled(),
        }

    def new_issue(self, topic: str, who: str = "") -> Told:
        """File an issue: `data["file"]` is its name. It is the holder's, once the turns go round."""
        with self._held_alive(who) as state:
            author = state.holder
            if (who or author) and (reasons := self.may_act(state, who or author)):
                return Told(reasons)
            if who and state.holder and who != state.holder:
                return Told(rules.to_hold(state, who))
            if reasons := judging.to_file(state, author):
                return Told(reasons)
            taken = max([0, *map(number_of, self.shelf.stems("issues")), *map(number_of, state.issues)])
            title = " ".join(topic.split()) or "Issue"
            stem = f"{taken + 1:02d}-{slug(topic)}"
            self.submit(author, {"move": "file", "stem": stem, "title": title, "text": issue_text(title)})
            return Told(data={"file": f"{stem}.md", "path": f"issues/{stem}.md", "number": taken + 1, "by": author})

    def write(
        self,
        name: str,
        issue: str,
        text: str,
        kind: str = "position",
        status: str = "",
        file: str = "",
        accept: str | None = None,
    ) -> Told:
        """A position, a challenge, an offer, the acceptance of one (`accept`: its hash, "" for the newest), or with
        `status` a new Status of `issue`: recorded at once and put in its file. `data["as"]` says what it was taken as:
        an AGREED with words of one's own is an offer."""
        with self._held_alive(name) as state:
            if reasons := self.may_act(state, name) or rules.to_hold(state, name):
                return Told(reasons)
            stem = stem_of(issue, state)
            if stem is None:
                return Told((rules.no_such_issue(state, issue),))
            try:
                self.shelf.text(judging.position_file(stem))
            except files.UnreadableFile as e:
                todo = "Mend it (`graphbus negotiate recover DIR` keeps it aside and puts back what the log has)."
                what = f"The file is unreadable: {e}."
                return Told((Reason(what, todo, judging.position_file(stem), code="altered"),))
            one = state.issues[stem]
            number = state.rounds_used(one, name) + 1
            if accept is not None:
                edits = Edits(accepts=(Accept(stem, accept or agreement.newest(one, name)),))
            elif status:
                edits = Edits(marks=(Mark(stem, status, text),))
            elif kind == "offer":
                edits = Edits((Words(stem, text, "position", number, offer=True),))
            else:
                edits = Edits((Words(stem, text, kind, number),))
            edits, found = rules.judged(state, name, edits)
            if found:
                return Told(tuple(Reason(r.what, r.todo, file, 0, r.code) for _, r in found))
            self.submit(name, {"move": "note", **edits.to_dict()})
            told = {"issue": stem, "file": judging.position_file(stem), **agreement.taken_as(one, name, edits)}
            return Told(data=told)

    def hand_off(self, name: str) -> Told:
        """Hand the turn over with everything that was written in the files, or say every reason why not."""
        with self._held_alive(name) as state:
            if reasons := self.may_act(state, name) or rules.to_hold(state, name):
                return Told(reasons)
            found = review(state, self.shelf, name)
            if reasons := rules.to_hand_off(state, name, found.edits):
                return Told(reasons)
            self._take(name, found, "hand-off")
            return Told(data=self._standing(state, name))

    def _take(self, name: str, found: Any, how: str) -> None:
        turns.read_sources(self)
        turns.word_issues(self, found)
        edits, _ = rules.judged(self.state, name, found.edits)
        turns.end_turn(self, name, how, edits, found.edits)

    def finish(self) -> Told:
        """End it, with everything settled and said in final.md; `data["left_out"]` names points it does not take up."""
        with self.held() as state:
            if state.phase is Phase.DONE:
                return Told(rules.to_finish(state, Edits(), ""), {"left_out": list(state.left_out)})
            if state.holder and (reasons := self.may_act(state, state.holder)):
                return Told(reasons)
            found = review(state, self.shelf, state.holder)
            final = self.text("final.md") or ""
            audited = bool((self.text("coverage-audit.md") or "").strip())
            if reasons := rules.to_finish(state, found.edits, final, audited):
                if all(r.code == "final" for r in reasons) and self._drafted(found.edits):
                    what = "final.md was missing; now it stands there, made of the accepted decisions."
                    todo = "Read it, edit around them, and finish again."
                    return Told((Reason(what, todo, "final.md", code="final"),))
                return Told(tuple(map(self._if_unreadable, reasons)))
            turns.finish(self, found, final)
            return Told(data={"left_out": list(state.left_out)})

    def may_act(self, state: State, name: str) -> tuple[Reason, ...]:
        """Why this command may not act for `name`: its seat has a token, and another or none was given. Code: seat."""
        if state.tokens.get(name, "") in ("", seats.digest(self.token)):
            return ()
        what = f"{name} sits here with a token, and this command did not give it."
        return (Reason(what, "Give --seat FILE, as `start` or `register` named it.", code="seat"),)

    def acting(self, name: str) -> AbstractContextManager[State]:
        """The state held for a move of `name`, which is alive."""
        return self._held_alive(name)

    def written(self, name: str) -> Review:
        """What the holder has in its files; only while held."""
        return review(self.state, self.shelf, name)

    def document(self, after: State) -> str:
        """final.md as somebody wrote it, else as the accepted decisions make it; the generated one is put there."""
        self.speech.draft(after)
        return self.text("final.md") or ""

    def _drafted(self, edits: Edits) -> bool:
        """Put the document that the accepted decisions make in the place of a final.md that is missing."""
        there = self.text("final.md")
        if (there or "").strip() or (there is None and files.signature(self.root / "final.md") is not None):
            return False
        self.speech.draft(rules.agreed_in(rules.after_turn(self.state, edits)))
        return True

    def _if_unreadable(self, reason: Reason) -> Reason:
        """Of a document that was taken for missing: why it cannot be read, if that is so."""
        if reason.code in ("final", "audit"):
            try:
                self.shelf.text(reason.file)
            except files.UnreadableFile as e:
                return Reason(f"{reason.file} cannot be read: {e}.", e.todo, reason.file, code=reason.code)
        return reason

    def rule(self, issue: str, text: str, by: str = "human") -> Told:
        """Decide an escalated issue in a judge's place."""
        with self.held() as state:
            stem = stem_of(issue, state) or issue
            if reasons := rules.to_rule(state, stem, text):
                return Told(reasons)
            self.submit(by, {"move": "rule", "issue": stem, "text": text})
            return Told(data={"issue": stem})

    def reopen(self, issue: str, by: str = "human") -> Told:
        """Give an issue back to the agents, with fresh rounds: a person's act."""
        with self.held() as state:
            stem = stem_of(issue, state) or issue
            if reasons := rules.to_reopen(state, stem):
                return Told(reasons)
            self.submit(by, {"move": "reopen", "issue": stem})
            return Told(data={"issue": stem})

    def analysis_done(self, name: str) -> Told:
        """This agent's independent analysis is in `analysis/NAME.md`. Said again, it changes nothing."""
        with self.held() as state:
            if name in state.agents and state.settings.rigorous and name in state.analyses:
                return Told(data=self._standing(state, name))
            if reasons := self.may_act(state, name) or rules.to_analyse(state, name) or self._unanalysed(name):
                return Told(reasons)
            (self.root / "analysis" / f".{name}-done").touch()
            reconciling.reconcile(self, self.speech)
            return Told(data=self._standing(state, name))

    def _unanalysed(self, name: str) -> tuple[Reason, ...]:
        file = f"analysis/{name}.md"
        try:
            text = self.shelf.text(file) or ""
        except files.UnreadableFile as e:
            return (Reason(f"The analysis cannot be read: {e}.", e.todo, file, code="final"),)
        if text.strip():
            return ()
        todo = "Write there what the sources agree and disagree on, then say that it is done."
        return (Reason("The analysis is missing or empty.", todo, file, code="empty"),)

    # -- looking and mending ------------------------------------------------------------------------------------------

    def look(self, working: bool = False) -> State:
        """The state as it stands, for those who only read; with `working`, also what the holder has in its files."""
        with self.held(moving=False) as state:
            copy = state.clone()
            if working and state.holder:
                edits, _ = judging.admissible(state, state.holder, review(state, self.shelf, state.holder).edits)
                evolve(copy, Noted(state.holder, state.turn, **edits.to_dict()))
            return copy

    def facts(self) -> list[Entry]:
        """Every fact, with its number and time."""
        with self.held(moving=False):
            return list(self.log)

    def skips(self) -> list[TurnSkipped]:
        """The last turns that were skipped, as of the operation before this call."""
        found: list[TurnSkipped] = []
        for entry in reversed(self.log.tail(1000)):
            if isinstance(entry.event, TurnSkipped):
                found.append(entry.event)
            if len(found) == 5:
                break
        return found[::-1]

    def skipped(self, name: str) -> str:
        """What to tell an agent whose last turn was skipped, "" where it was not; as of the operation before."""
        for entry in reversed(self.log.tail(200)):
            event = entry.event
            if isinstance(event, TurnTaken | TurnOpened) and event.holder == name:
                break
            if isinstance(event, TurnSkipped) and event.holder == name:
                return f"Your turn {event.turn} was skipped ({event.why}); what you had written in the files is kept."
        return ""

    def problems(self) -> tuple[Reason, ...]:
        """What in the files is not as the log has it, the holder's unfinished work apart."""
        with self.held(moving=False) as state:
            if behind := self.visit.behind:
                return (Reason(f"{behind[:1].upper()}{behind[1:]}", code="behind"),)
            found = review(state, self.shelf, state.holder)
            reasons = list(found.edits.flaws)
            if state.phase is not Phase.POSITIONS:
                outside = [(judging.position_file(w.issue), w.line) for w in found.edits.words]
                reasons += [Reason("An entry outside a turn.", "", *place) for place in outside]
            return tuple(reasons)

    def recover(self) -> Told:
        """Put the files back as the log has them, keep aside what differs, and keep the holder's own honest work."""
        if not self.exists:
            raise self.none()
        damaged = None
        if self.log.path.exists():
            with locked(self.hidden / "lock", self.lock_timeout_s):
                damaged = self.log.salvage()
        with self.held() as state:
            found = review(state, self.shelf, state.holder)
            edits, reasons = judging.admissible(state, state.holder, found.edits)
            flawed = [r for r in reasons if r in found.edits.flaws and r.code != "almost"]  # its author's to say
            if state.holder:
                broken = {r.file for r in flawed}
                keep = Edits(
                    tuple(w for w in edits.words if judging.position_file(w.issue) in broken),
                    tuple(m for m in edits.marks if judging.position_file(m.issue) in broken),
                )
                if not keep.empty:
                    self.submit(state.holder, {"move": "note", **keep.to_dict()})
            turns.undo(self, flawed)
            data = {"undone": [r.to_dict() for r in self.mended], "log": str(damaged) if damaged else ""}
            return Told(data=data)
