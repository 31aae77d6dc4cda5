"""Bring a directory and its log together: what others did without us is read, recorded, or undone and said.

Agents with the old scripts, editors and people write the same files. Each difference is either a move that the rules
allow (a registration, a turn handed over), which becomes a fact, or it is put back; nothing is dropped in silence, and
what is put back is kept in `.graphbus/aside/` first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.document import rules, validation
from graphbus_core.negotiation.document.model import NAME, RESERVED, Phase, Status
from graphbus_core.negotiation.document.text.headings import Voices
from graphbus_core.negotiation.document.validation import issue_file, position_file
from graphbus_core.sessions.document import files, markdown
from graphbus_core.sessions.document.folder import Folder
from graphbus_core.sessions.document.render import DirectoryRenderer
from graphbus_core.sessions.document.review import review
from graphbus_core.sessions.document.turns import (
    end_turn_if_over,
    read_text_or_none,
    record_sources,
    record_worded_issues,
)

# The time of one write of a small file on a slow disk. Read empty, turn.md would look as if nobody had the turn.
GRACE_S = 0.06  # how long a file that somebody is just writing may be empty


def reconcile(directory: Folder, renderer: DirectoryRenderer) -> None:
    """One pass, with the lock held. What it submits is recorded by the caller; `speech` writes what is missing."""
    state = directory.state
    begun = state.phase is Phase.POSITIONS
    # Taken before anything is read: files that come in this pass have not been there to be removed.
    known_issues = dict.fromkeys(state.issues, False) | {
        s: True for s, i in state.issues.items() if i.entries or not i.is_open
    }
    word = directory.visit.judged = _read_turn_word(directory)
    if state.phase is Phase.UNOPENED:
        adopt_directory(directory, word)
    if state.phase is Phase.REGISTRATION:
        _read_settings(directory)
        _read_seats(directory)
        read_issues(directory)
    # Asked again: reading the seats may have filled the table and closed it.
    if state.phase is Phase.REGISTRATION:
        _close_registration(directory, word)
    if state.phase is Phase.ANALYSIS:
        _read_analyses(directory)
    if begun and state.phase is Phase.POSITIONS:  # else turn.md has not been told of the first turn yet
        end_turn_if_over(directory, word)
    _restore_missing(directory, renderer, known_issues)


def adopt_directory(directory: Folder, word: str) -> None:
    """Begin a log for a directory that others opened, and whose turn.md says `word`."""
    try:
        settings, _ = markdown.parse_meta(directory.read_text("meta.md") or "")
    # Settings that cannot be read must not keep a directory of others' from being adopted: the seed's defaults hold.
    except ConfigError:
        settings, _ = markdown.parse_meta("")
    # Only the rigorous form has a phase.md, so its being there says which form the others play.
    if directory.read_text("phase.md") is not None and not settings.rigorous:
        settings, _ = markdown.parse_meta("- **rigorous:** yes", settings)
    lines = {a.name: a.participant for a in markdown.parse_agents(directory.read_text("agents.md") or "")}
    agents = [[n, p] for n, p in lines.items() if NAME.fullmatch(n) and n not in RESERVED]
    # No turn to take over: it is opened, and goes on with its registration.
    if (word != "done" and word not in lines) or len(agents) < 2:
        directory.submit("", {"move": "open", "settings": settings.to_dict(), "how": "adopted"})
        return
    record_sources(directory)
    issues = _collect_issues(directory, lines)
    final = (read_text_or_none(directory, "final.md") or "") if word == "done" else ""
    move = {"move": "adopt", "settings": settings.to_dict(), "agents": agents, "issues": issues}
    directory.submit("", {**move, "holder": word, "final": final})


def _collect_issues(directory: Folder, agents: Iterable[str]) -> list[dict[str, Any]]:
    issues = []
    for stem in directory.shelf.list_stems("issues"):
        text = read_text_or_none(directory, issue_file(stem))
        if text is None:
            continue
        # Without an issue's entries known: the log does not exist yet, so all that stands there is new.
        sheet = markdown.parse_positions(
            read_text_or_none(directory, position_file(stem)) or "", voices=Voices("", tuple(agents))
        )
        seated = [s for s in sheet.sections if s.by in agents]
        status = sheet.status if sheet.status in tuple(Status) else str(Status.OPEN)
        # One voice is not an agreement, whatever the Status line says. It stays open until another has said so.
        if status == Status.AGREED and (len({s.by for s in seated}) < 2 or not sheet.decision):
            status = str(Status.OPEN)
        issues.append(
            {
                "stem": stem,
                "title": markdown.parse_issue_title(text, stem),
                "text": text,
                "status": status,
                "decision": sheet.decision if status != Status.OPEN else "",
                "entries": [{"by": s.by, "kind": s.kind, "number": s.number, "text": s.text} for s in seated if s.text],
            }
        )
    return issues


def _read_settings(directory: Folder) -> None:
    text = directory.read_text("meta.md")
    if text is None:
        return
    try:
        settings, _ = markdown.parse_meta(text, directory.state.settings)
    # Put back and told, not raised: a bad number in meta.md must not stop everybody's commands.
    except ConfigError as e:
        directory.report_undone("meta.md", 0, str(e), text)
        directory.schedule_restore("meta.md")
        return
    if settings != directory.state.settings:
        directory.submit("", {"move": "settings", "settings": settings.to_dict()})


def _read_seats(directory: Folder) -> None:
    text = directory.read_text("agents.md")
    if text is None:
        return
    lines = markdown.parse_agents(text)
    wrong = False
    seen_names: set[str] = set()
    for line in lines:
        # Twice in the list would give one agent two turns a round.
        if line.name in seen_names:
            directory.report_undone("agents.md", line.line, f"{line.name} stood here twice", line.raw)
            wrong = True
        elif line.name not in directory.state.agents:
            if refused := rules.check_registration(directory.state, line.name, line.participant):
                # The reason stands where its author looks: in the report of what was undone, with the line.
                directory.report_undone("agents.md", line.line, f"{line.name} was not seated: {refused[0]}", line.raw)
                wrong = True
            else:
                directory.submit(line.name, {"move": "register", "participant": line.participant})
        seen_names.add(line.name)
    if wrong:
        directory.schedule_restore("agents.md")


def read_issues(directory: Folder) -> None:
    """Before the first turn anybody may file an issue and word it."""
    if not directory.shelf.list_stems("issues") and not directory.state.issues:
        return
    turn_review = review(directory.state, directory.shelf, "")
    for new in turn_review.edits.issues:
        # Issues of before the first turn belong to nobody. The rules still say how many there may be.
        if not validation.check_filing(directory.state, ""):
            directory.submit("", {"move": "file", **new.to_dict()})
    record_worded_issues(directory, turn_review)


def _close_registration(directory: Folder, word: str) -> None:
    state = directory.state
    if not state.agents:
        return
    # turn.md names an agent already: its scripts closed the registration, and are taking their turn.
    if word in state.agents and len(state.agents) >= 2:
        record_sources(directory)
        directory.submit("", {"move": "close", "why": "moved"})
        return
    since, _ = directory.watch.observe("registration", "")
    if since >= state.settings.registration_window_s:
        record_sources(directory)
        directory.submit("", {"move": "close", "why": "window"})


def _read_analyses(directory: Folder) -> None:
    state = directory.state
    since, silent = directory.watch.observe("analysis", directory.shelf.compute_signature())
    # Either limit: an agent that writes a little now and then is not silent, but must not hold up all others for
    # ever.
    late = silent >= state.settings.turn_timeout_s or since >= state.settings.max_turn_s
    for name in state.list_analysing():
        is_done = files.read_signature(directory.root / "analysis" / f".{name}-done") is not None
        # Our own models hand in through their seat, and their time is bounded there.
        if is_done or (late and state.seats.get(name) != "model"):
            why = "" if is_done else f"silent for {silent:.0f} s"
            drafts = []
            for stem in directory.shelf.list_stems(f"issues-draft/{name}"):
                text = read_text_or_none(directory, f"issues-draft/{name}/{stem}.md")
                if text and text.strip():
                    topic = stem.partition("-")[2] or stem
                    drafts.append({"topic": topic, "title": markdown.parse_issue_title(text, stem), "text": text})
            text = read_text_or_none(directory, f"analysis/{name}.md") or ""
            directory.submit(name, {"move": "analysis", "text": text, "issues": drafts, "why": why})


def _read_turn_word(directory: Folder) -> str:
    """The word in turn.md; a file that somebody is just writing is given time to be written."""
    ends = time.monotonic() + GRACE_S
    # An empty file is one that is being written: the old scripts truncate and then write.
    while not (word := directory.read_turn_word()) and time.monotonic() < ends:
        if directory.state.phase is Phase.UNOPENED:
            break
        time.sleep(0.004)
    return word


def _restore_missing(directory: Folder, renderer: DirectoryRenderer, known_issues: Mapping[str, bool]) -> None:
    """Files that somebody deleted come back from the log: the frame, and issues `known` before (True: with positions).

    Raises OSError where one cannot be written; then nothing is said of it either.
    """
    state, root = directory.state, str(directory.root)
    # Positions of an issue nobody has spoken on have never been there.
    expected_files = [
        name
        for stem, has_positions in known_issues.items()
        for name in [issue_file(stem), position_file(stem)][: 1 + has_positions]
    ]
    expected_files += ["agents.md", "meta.md"] if state.phase is not Phase.UNOPENED else []
    expected_files += [f"sources/{name}.md" for name in state.sources] + (["topic.md"] if state.topic else [])
    for name in expected_files:
        # Deleted files come back without a fact: nothing was moved, so nothing is recorded.
        if files.read_signature(f"{root}/{name}") is None:
            renderer.restore_file(name)
            directory.report_undone(name, 0, "the file was gone", None)
    if state.phase is Phase.POSITIONS or state.phase is Phase.DONE:
        text = directory.read_text("agents.md") or ""
        # By names alone: the rest of a line is a note for people.
        if [line.name for line in markdown.parse_agents(text)] != state.agents:
            _restore_file(directory, renderer, "agents.md", "it named other agents than those who are seated")
    if state.final and directory.read_text("final.md") != state.final:
        _restore_file(directory, renderer, "final.md", "it was not the document that was agreed")


def _restore_file(directory: Folder, renderer: DirectoryRenderer, name: str, what: str) -> None:
    copy_path = directory.set_aside(name)
    renderer.restore_file(name)
    directory.report_undone(name, 0, what, None, copy_path)
