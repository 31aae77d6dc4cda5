"""How the log is spoken in the directory: what is written to which file after each fact, so that others can read on.

Everything here can be done twice. `.graphbus/spoken` holds the number of the last fact that reached the files: after a
kill in between, the next command goes on there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.negotiation.core import Event
from graphbus_core.negotiation.document import events
from graphbus_core.negotiation.document.fates import Fates, judge_fates, render_fates
from graphbus_core.negotiation.document.final_document import compose_document, render_decisions
from graphbus_core.negotiation.document.model import FINAL, Phase, Status
from graphbus_core.negotiation.document.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.validation import issue_file, position_file
from graphbus_core.sessions.document import files, markdown
from graphbus_core.sessions.document.folder import Folder

FOLDERS = ("issues", "positions", "sources")


class DirectoryRenderer:
    """Writes the files of one directory. Call it only while its lock is held."""

    def __init__(self, directory: Folder) -> None:
        self.directory = directory
        # So that the turn's time begins once a turn, and not with each command of anybody.
        self._looked = 0  # the turn whose time has begun

    def catch_up(self, healing: bool = False) -> bool:
        """Say every fact that has been recorded and not been said. True if there was one.

        `healing` is after a kill. Then turn.md is written only if it is the very file that the dead process found:
        else that process wrote it, and what stands there now may be somebody's move.
        Raises OSError; then it is written next time.
        """
        directory = self.directory
        path = directory.hidden / "spoken"
        try:
            last_spoken, _, before = (files.read_bytes(path) or b"0").decode().partition(" ")
            spoken = int(last_spoken)
        # Lost or torn, everything is said again. Saying twice changes nothing.
        except (ValueError, files.UnreadableFile):
            spoken, before = 0, ""
        total = len(directory.log)
        if spoken == total:
            return False
        # A log that was repaired may be shorter than what was said.
        for entry in directory.log.since(min(spoken, total)):
            event = entry.event
            # The words of a hand-off came from the files, so they stand there. After a kill nobody knows which of
            # them do.
            if healing or not (isinstance(event, events.TurnTaken) and event.how in ("hand-off", "moved")):
                self.render_event(event)  # what was handed off came from the files
            elif isinstance(event, events.TurnTaken):
                self._render_resolved_marks(event)
        if not healing:
            self.render_turn_files(directory.visit.judged)
        elif before in ("", self._read_turn_signature()) or not directory.read_turn_word():
            self.render_turn_files()
        # With the signature of turn.md as it is now: only then can a healer tell our write from somebody's move.
        files.write(path, f"{total} {self._read_turn_signature()}", directory.hidden)
        return True

    def _read_turn_signature(self) -> str:
        return "-".join(map(str, files.read_signature(self.directory.root / "turn.md") or ()))

    def render_event(self, event: Event) -> None:
        """One fact, in the files it belongs to."""
        directory = self.directory
        match event:
            case events.Opened():
                for folder in FOLDERS:
                    (directory.root / folder).mkdir(exist_ok=True)
                # `create`: a file that is there may be another script's, with lines in it that we do not know.
                files.create(directory.root / "agents.md", markdown.AGENTS_HEAD, directory.hidden)
                files.create(directory.root / "meta.md", self._render_meta(), directory.hidden)
                files.create(directory.root / ".gitignore", files.IGNORED, directory.hidden)
                files.create(directory.root / ".gitattributes", files.ATTRIBUTES, directory.hidden)
            case events.Adopted():
                for folder in FOLDERS:
                    (directory.root / folder).mkdir(exist_ok=True)
            case events.Registered(name=name):
                self._append_seat(name)
            # Only the rigorous form has these folders. Made for all, they would look like a phase to come.
            case events.RegistrationClosed() if directory.state.settings.rigorous:
                for folder in ("analysis", "issues-draft"):
                    (directory.root / folder).mkdir(exist_ok=True)
                self._write_if_changed(
                    "phase.md", f"{'analysis' if directory.state.phase is Phase.ANALYSIS else 'positions'}\n"
                )
            case events.AnalysisHanded(name=name, text=text) if text:
                files.create(directory.root / "analysis" / f"{name}.md", text.rstrip() + "\n", directory.hidden)
            case events.DraftsMerged(issues=issues):
                for issue in issues:
                    self._create_issue_file(issue)
                if directory.state.settings.rigorous:
                    self._write_if_changed("phase.md", "positions\n")
            case events.SourceRead(name=name, text=text):
                file = f"sources/{name}.md" if name else "topic.md"
                files.create(directory.root / file, text, directory.hidden)
            case events.FinalDrafted() | events.Finished():
                self._render_final(event)
            case events.EndRecalled():
                # The agent of the seed's scripts may have left on "done". Its own poll is the only sign that it came
                # back.
                (directory.root / ".turn-started").unlink(missing_ok=True)  # its poll writes it, if it is still there
            case _:
                self._render_issue_event(event)

    def _render_issue_event(self, event: Event) -> None:
        """What became of one issue, or of several."""
        directory = self.directory
        match event:
            case events.IssueFiled():
                self._create_issue_file(event.to_dict())
            case events.Noted(holder=holder) | events.TurnTaken(holder=holder):
                self._render_edits(event, holder)
            case events.AgreementReached(issue=stem, text=text):
                self._render_status(stem, Status.AGREED, text)
            case events.Explained(issue=stem, text=text):
                known_issue = directory.state.issues[stem]
                for entry in known_issue.entries:
                    if entry.kind == "note" and entry.text == text:
                        self._render_entry(known_issue, entry)
            case events.TurnOpened() if not directory.state.settings.signed and directory.state.are_all_settled():
                if not any(directory.state.find_awaiting_judge()):
                    self.write_draft()
            case events.TurnOpened(turn=turn) if directory.state.sources and _moved_fates(directory.state, turn):
                self.write_fates(judge_fates(directory.state))
            case events.IssuesEscalated(issues=stems, why=why):
                for stem in stems:
                    self._render_status(stem, Status.ESCALATE, why)
            case events.IssueRuled(issue=stem, text=text, by=by) if text:
                self._render_status(stem, Status.AGREED, text)
                del by
            case events.IssueReopened(issue=stem):
                self._render_status(stem, Status.OPEN, "")
            case _:
                return

    def _render_final(self, event: events.FinalDrafted | events.Finished) -> None:
        """The document, and beside it what it leaves out; of two in one turn the later one."""
        state = self.directory.state
        if isinstance(event, events.Finished):
            self._write_if_changed("final.md", event.final)
        elif not event.by:
            self.write_draft()
        elif state.draft == event.final:
            self.write_fates(judge_fates(state, event.final))
            self._write_if_changed("final.md", event.final)

    def write_draft(self, state: State | None = None) -> None:
        """final.md of the accepted decisions, unless somebody wrote one: only what we generated is written over."""
        directory = self.directory
        state = state or directory.state
        fates = judge_fates(state, state.draft if state.draft_hash else None)
        self.write_fates(fates)
        content = state.draft if state.draft_hash else compose_document(state, fates)
        existing_text = directory.read_text("final.md")
        if existing_text == content or read_own_document(directory):
            return  # what somebody wrote or edited is not ours to improve
        files.write(directory.hidden / "draft", content, directory.hidden)
        if existing_text is not None:
            # Written over only because it is byte for byte what we generated before.
            files.write(directory.root / "final.md", content, directory.hidden)
        elif files.read_signature(directory.root / "final.md") is None:
            files.create(directory.root / "final.md", content, directory.hidden)

    def write_fates(self, fates: Fates) -> None:
        """fates.md, where there is a source that has something to say."""
        if fates.rows:
            parts = (render_fates(fates).rstrip("\n"), *render_decisions(self.directory.state))
            self._write_if_changed("fates.md", "\n\n".join(parts) + "\n")

    def _render_resolved_marks(self, event: events.TurnTaken) -> None:
        """What was marked AGREED in the files and was an offer, or not yet everybody's: the files say so."""
        for words in event.words:
            if words.get("offer"):
                issue = self.directory.state.issues[words["issue"]]
                for entry in issue.entries:
                    if entry.offer and entry.turn == event.turn and entry.text == words["text"]:
                        # Rewritten as the offer it was taken for, or its author would believe that the matter is
                        # agreed.
                        self._render_entry(issue, entry)
        touched = {w["issue"] for w in event.words if w.get("offer")} | {a["issue"] for a in event.accepts}
        touched.discard(FINAL)
        # Sorted: files are written in an order that does not depend on how a set was filled.
        for stem in sorted(touched):
            issue = self.directory.state.issues[stem]
            if issue.is_open:
                self._render_status(stem, Status.OPEN, "")

    def render_turn_files(self, judged: str | None = None) -> None:
        """turn.md and .turn-started, as they have to be now.

        Where `judged` is given, turn.md is put back only if it still says that: another word is somebody's move, made
        this instant, and is judged next time.
        """
        directory = self.directory
        state = directory.state
        match state.phase:
            case Phase.UNOPENED:
                return
            case Phase.ANALYSIS if state.settings.rigorous and (owing := state.list_analysing()):
                # The scripts in use take turns at their analyses; ours are handed in in any order.
                analysis = directory.root / "analysis"
                word = next((n for n in owing if not (analysis / f".{n}-done").exists()), owing[0])
            case Phase.REGISTRATION | Phase.ANALYSIS:
                word = "registration"
                if state.agents and state.phase is Phase.REGISTRATION:
                    directory.watch.observe("registration", "")  # the window is open from the first registration on
            case Phase.POSITIONS:
                word = state.holder
            case Phase.DONE:
                word = "done"
        current_word = directory.read_turn_word()
        # Another word than the one that was judged is a move of this instant. It is judged next time, and not written
        # over.
        if current_word != word and judged in (None, current_word):
            files.write(directory.root / "turn.md", f"{word}\n", directory.hidden)
        if state.holder:
            started = (directory.read_text(".turn-started") or "").split("\n")
            if started[0] != state.holder and not state.may_have_left(state.holder):
                self.renew(state.holder)
            # Looked at now, the turn's time begins now: also for a holder that never polls.
            if self._looked != state.turn:
                directory.observe_silence()
                self._looked = state.turn

    def renew(self, holder: str) -> None:
        """The holder is alive: said in the form that the old scripts read, so that they do not skip it either."""
        content = f"{holder}\n{int(self.directory.now())}\n"
        if self.directory.read_text(".turn-started") != content:
            files.write(self.directory.root / ".turn-started", content, self.directory.hidden)

    def restore_file(self, name: str) -> None:
        """Write a file as the log has it; what the log does not know is taken away (it was set aside before)."""
        directory = self.directory
        state = directory.state
        folder, _, rest = name.partition("/")
        stem = rest.removesuffix(".md")
        content: str | None = None
        if name == "agents.md":
            content = markdown.render_agents(state.agents, state.participants, self._collect_times())
        elif name == "meta.md":
            content = self._render_meta()
        elif folder == "issues" and stem in state.issues:
            content = state.issues[stem].text
        elif folder == "positions" and stem in state.issues:
            issue = state.issues[stem]
            if issue.entries or not issue.is_open:
                content = markdown.render_positions(issue)
        elif name == "topic.md" and state.topic:
            content = state.topic
        elif folder == "sources" and stem in state.sources:
            content = state.sources[stem]
        elif name == "final.md" and state.final:
            content = state.final
        elif folder not in ("issues", "positions"):
            return
        # Set aside before, so nothing is lost; left in place, it would be undone again by each command.
        if content is None:
            (directory.root / name).unlink(missing_ok=True)
        else:
            files.write(directory.root / name, content, directory.hidden)

    def _write_if_changed(self, name: str, content: str) -> None:
        # Only what differs is written: each write is a sign of life to others who watch the file's time.
        if self._read_text(name)[0] != content:
            files.write(self.directory.root / name, content, self.directory.hidden)

    def _read_text(self, name: str) -> tuple[str | None, bool]:
        """A file's text, and whether it can be built on; of one that cannot be read a copy is kept."""
        try:
            return files.read_text(self.directory.root / name), True
        except files.UnreadableFile:
            self.directory.set_aside(name)
            return None, False

    def _render_meta(self) -> str:
        created, deadline = self.directory.now(), None
        for entry in self.directory.log:
            if isinstance(entry.event, events.Opened):
                created = entry.at or created
            elif isinstance(entry.event, events.Registered):
                deadline = (entry.at or created) + self.directory.state.settings.registration_window_s
                break
        return markdown.render_meta(self.directory.state.settings, created, deadline)

    def _collect_times(self) -> dict[str, float]:
        return {e.event.name: e.at or 0.0 for e in self.directory.log if isinstance(e.event, events.Registered)}

    def _append_seat(self, name: str) -> None:
        """A line in agents.md and, with the first, the deadline: appended, so that nobody else's line is lost."""
        directory = self.directory
        text = directory.read_text("agents.md")
        if text is None:
            files.create(directory.root / "agents.md", markdown.AGENTS_HEAD, directory.hidden)
            text = markdown.AGENTS_HEAD
        times = self._collect_times()
        if name not in {line.name for line in markdown.parse_agents(text)}:
            # A line appended to one that has no end would join the two names.
            gap = "" if text.endswith("\n") else "\n"
            participant = directory.state.participants.get(name, "")
            files.append(
                directory.root / "agents.md",
                gap + markdown.render_agent(name, participant, times.get(name, directory.now())),
            )
        meta = directory.read_text("meta.md")
        if meta is None:
            # The deadline counts from the first registration, so it is appended once and stays.
            files.create(directory.root / "meta.md", self._render_meta(), directory.hidden)
        elif "registration_deadline" not in markdown.parse_meta(meta, directory.state.settings)[1]:
            first = min(times.values(), default=directory.now())
            line = markdown.render_deadline(first + directory.state.settings.registration_window_s)
            files.append(directory.root / "meta.md", ("" if meta.endswith("\n") else "\n") + line + "\n")

    def _create_issue_file(self, issue: Mapping[str, Any]) -> None:
        known_issue = self.directory.state.issues.get(issue["stem"])
        # As the log has it now: the issue may have been worded since it was filed.
        text = known_issue.text if known_issue else issue["text"]
        files.create(self.directory.root / issue_file(issue["stem"]), text, self.directory.hidden)

    def _render_edits(self, event: events.Noted | events.TurnTaken, holder: str) -> None:
        for issue in event.issues:
            self._create_issue_file(issue)
        for words in event.words:
            known_issue = self.directory.state.issues.get(words["issue"])
            if known_issue is None:
                continue
            offer = bool(words.get("offer"))
            entry = IssueEntry(holder, words["kind"], words["number"], words["text"], event.turn, offer)
            # Only what still stands in the state: of an entry that was revised in the same turn the later one is
            # said.
            if any(_is_same_entry(e, entry) for e in known_issue.entries):
                self._render_entry(known_issue, entry)
        for mark in event.marks:
            known_issue = self.directory.state.issues.get(mark["issue"])
            if (
                known_issue is not None
                and known_issue.status == mark["status"]
                and known_issue.decision == mark["text"]
            ):
                self._render_status(known_issue.stem, mark["status"], mark["text"])

    def _render_entry(self, issue: Issue, entry: IssueEntry) -> None:
        name = position_file(issue.stem)
        text, sound = self._read_text(name)
        earlier = self._find_revised_text(issue, entry)
        content = markdown.insert_entry(text, issue, entry, earlier) if sound else markdown.render_positions(issue)
        if content != text:
            files.write(self.directory.root / name, content, self.directory.hidden)

    def _find_revised_text(self, issue: Issue, entry: IssueEntry) -> str | None:
        """The text that this entry revises within its turn: of the same author, in the log, no longer in the state."""
        revised_text = None
        for past in reversed(self.directory.log.tail(200)):
            event = past.event
            if isinstance(event, events.TurnOpened):
                break
            if isinstance(event, events.Noted) and event.holder == entry.by and event.turn == entry.turn:
                for words in event.words:
                    if words["issue"] == issue.stem and words["kind"] == entry.kind and words["text"] != entry.text:
                        revised_text = words["text"]
                        return str(revised_text)
        return None

    def _render_status(self, stem: str, status: str, decision: str) -> None:
        issue = self.directory.state.issues[stem]
        name = position_file(stem)
        text, sound = self._read_text(name)
        content = markdown.render_positions(issue)
        if sound:
            content = markdown.set_status(text, issue, status, decision, [*issue.decisions, *issue.remarks])
        if content != text:
            files.write(self.directory.root / name, content, self.directory.hidden)


def read_own_document(directory: Folder) -> str:
    """The document that somebody wrote; "" where there is none, or the one that lies there was made of decisions."""
    lying = directory.read_text(FINAL) or ""
    try:
        generated = files.read_text(directory.hidden / "draft")
    except files.UnreadableFile:
        generated = None
    return lying if lying.strip() and lying != generated else ""


def _is_same_entry(entry: IssueEntry, other: IssueEntry) -> bool:
    return (entry.by, entry.kind, entry.number, entry.text) == (other.by, other.kind, other.number, other.text)


def _moved_fates(state: State, turn: int) -> bool:
    """Whether the turn that ended filed or settled something: only then has a statement another fate than before."""
    ended = turn - 1
    return turn == 1 or any(
        ended in (issue.turn, issue.marked_turn, *issue.accepted_turn.values()) for issue in state.issues.values()
    )
