"""Bring a directory and its log together: what others did without us is read, recorded, or undone and said.

Agents with the old scripts, editors and people write the same files. Each difference is either a move that the rules
allow (a registration, a turn handed over), which becomes a fact, or it is put back; nothing is dropped in silence, and
what is put back is kept in `.graphbus/aside/` first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.document.paper import files, markdown
from graphbus_core.document.paper.review import review
from graphbus_core.document.table.folder import Folder
from graphbus_core.document.table.speech import Speech
from graphbus_core.document.table.turns import read_sources, readable, turn, word_issues
from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.document import judging, rules
from graphbus_core.negotiation.document.judging import issue_file, position_file
from graphbus_core.negotiation.document.said.vocabulary import NAME, RESERVED, Phase, Status
from graphbus_core.negotiation.document.text.headings import Voices

# The time of one write of a small file on a slow disk. Read empty, turn.md would look as if nobody had the turn.
GRACE_S = 0.06  # how long a file that somebody is just writing may be empty


def reconcile(directory: Folder, speech: Speech) -> None:
    """One pass, with the lock held. What it submits is recorded by the caller; `speech` writes what is missing."""
    state = directory.state
    begun = state.phase is Phase.POSITIONS
    # Taken before anything is read: files that come in this pass have not been there to be removed.
    known = dict.fromkeys(state.issues, False) | {s: True for s, i in state.issues.items() if i.entries or not i.open}
    word = directory.visit.judged = _word(directory)
    if state.phase is Phase.UNOPENED:
        adopt(directory, word)
    if state.phase is Phase.REGISTRATION:
        _settings(directory)
        _seats(directory)
        read_issues(directory)
    # Asked again: reading the seats may have filled the table and closed it.
    if state.phase is Phase.REGISTRATION:
        _close(directory, word)
    if state.phase is Phase.ANALYSIS:
        _analyses(directory)
    if begun and state.phase is Phase.POSITIONS:  # else turn.md has not been told of the first turn yet
        turn(directory, word)
    _missing(directory, speech, known)


def adopt(directory: Folder, word: str) -> None:
    """Begin a log for a directory that others opened, and whose turn.md says `word`."""
    try:
        settings, _ = markdown.parse_meta(directory.text("meta.md") or "")
    # Settings that cannot be read must not keep a directory of others' from being adopted: the seed's defaults hold.
    except ConfigError:
        settings, _ = markdown.parse_meta("")
    # Only the rigorous form has a phase.md, so its being there says which form the others play.
    if directory.text("phase.md") is not None and not settings.rigorous:
        settings, _ = markdown.parse_meta("- **rigorous:** yes", settings)
    lines = {a.name: a.participant for a in markdown.parse_agents(directory.text("agents.md") or "")}
    agents = [[n, p] for n, p in lines.items() if NAME.fullmatch(n) and n not in RESERVED]
    # No turn to take over: it is opened, and goes on with its registration.
    if (word != "done" and word not in lines) or len(agents) < 2:
        directory.submit("", {"move": "open", "settings": settings.to_dict(), "how": "adopted"})
        return
    read_sources(directory)
    found = _found_issues(directory, lines)
    final = (readable(directory, "final.md") or "") if word == "done" else ""
    move = {"move": "adopt", "settings": settings.to_dict(), "agents": agents, "issues": found}
    directory.submit("", {**move, "holder": word, "final": final})


def _found_issues(directory: Folder, agents: Iterable[str]) -> list[dict[str, Any]]:
    found = []
    for stem in directory.shelf.stems("issues"):
        text = readable(directory, issue_file(stem))
        if text is None:
            continue
        # Without an issue's entries known: the log does not exist yet, so all that stands there is new.
        sheet = markdown.parse_positions(
            readable(directory, position_file(stem)) or "", voices=Voices("", tuple(agents))
        )
        seated = [s for s in sheet.sections if s.by in agents]
        status = sheet.status if sheet.status in tuple(Status) else str(Status.OPEN)
        # One voice is not an agreement, whatever the Status line says. It stays open until another has said so.
        if status == Status.AGREED and (len({s.by for s in seated}) < 2 or not sheet.decision):
            status = str(Status.OPEN)
        found.append(
            {
                "stem": stem,
                "title": markdown.issue_title(text, stem),
                "text": text,
                "status": status,
                "decision": sheet.decision if status != Status.OPEN else "",
                "entries": [{"by": s.by, "kind": s.kind, "number": s.number, "text": s.text} for s in seated if s.text],
            }
        )
    return found


def _settings(directory: Folder) -> None:
    text = directory.text("meta.md")
    if text is None:
        return
    try:
        settings, _ = markdown.parse_meta(text, directory.state.settings)
    # Put back and told, not raised: a bad number in meta.md must not stop everybody's commands.
    except ConfigError as e:
        directory.undone("meta.md", 0, str(e), text)
        directory.put_back("meta.md")
        return
    if settings != directory.state.settings:
        directory.submit("", {"move": "settings", "settings": settings.to_dict()})


def _seats(directory: Folder) -> None:
    text = directory.text("agents.md")
    if text is None:
        return
    lines = markdown.parse_agents(text)
    wrong = False
    seen: set[str] = set()
    for line in lines:
        # Twice in the list would give one agent two turns a round.
        if line.name in seen:
            directory.undone("agents.md", line.line, f"{line.name} stood here twice", line.raw)
            wrong = True
        elif line.name not in directory.state.agents:
            if refused := rules.to_register(directory.state, line.name, line.participant):
                # The reason stands where its author looks: in the report of what was undone, with the line.
                directory.undone("agents.md", line.line, f"{line.name} was not seated: {refused[0]}", line.raw)
                wrong = True
            else:
                directory.submit(line.name, {"move": "register", "participant": line.participant})
        seen.add(line.name)
    if wrong:
        directory.put_back("agents.md")


def read_issues(directory: Folder) -> None:
    """Before the first turn anybody may file an issue and word it."""
    if not directory.shelf.stems("issues") and not directory.state.issues:
        return
    found = review(directory.state, directory.shelf, "")
    for new in found.edits.issues:
        # Issues of before the first turn belong to nobody. The rules still say how many there may be.
        if not judging.to_file(directory.state, ""):
            directory.submit("", {"move": "file", **new.to_dict()})
    word_issues(directory, found)


def _close(directory: Folder, word: str) -> None:
    state = directory.state
    if not state.agents:
        return
    # turn.md names an agent already: its scripts closed the registration, and are taking their turn.
    if word in state.agents and len(state.agents) >= 2:
        read_sources(directory)
        directory.submit("", {"move": "close", "why": "moved"})
        return
    since, _ = directory.watch.look("registration", "")
    if since >= state.settings.registration_window_s:
        read_sources(directory)
        directory.submit("", {"move": "close", "why": "window"})


def _analyses(directory: Folder) -> None:
    state = directory.state
    since, silent = directory.watch.look("analysis", directory.shelf.signs())
    # Either limit: an agent that writes a little now and then is not silent, but must not hold up all others for
    # ever.
    late = silent >= state.settings.turn_timeout_s or since >= state.settings.max_turn_s
    for name in state.analysing():
        done = files.signature(directory.root / "analysis" / f".{name}-done") is not None
        # Our own models hand in through their seat, and their time is bounded there.
        if done or (late and state.seats.get(name) != "model"):
            why = "" if done else f"silent for {silent:.0f} s"
            drafts = []
            for stem in directory.shelf.stems(f"issues-draft/{name}"):
                text = readable(directory, f"issues-draft/{name}/{stem}.md")
                if text and text.strip():
                    topic = stem.partition("-")[2] or stem
                    drafts.append({"topic": topic, "title": markdown.issue_title(text, stem), "text": text})
            text = readable(directory, f"analysis/{name}.md") or ""
            directory.submit(name, {"move": "analysis", "text": text, "issues": drafts, "why": why})


def _word(directory: Folder) -> str:
    """The word in turn.md; a file that somebody is just writing is given time to be written."""
    ends = time.monotonic() + GRACE_S
    # An empty file is one that is being written: the old scripts truncate and then write.
    while not (word := directory.word()) and time.monotonic() < ends:
        if directory.state.phase is Phase.UNOPENED:
            break
        time.sleep(0.004)
    return word


def _missing(directory: Folder, speech: Speech, known: Mapping[str, bool]) -> None:
    """Files that somebody deleted come back from the log: the frame, and issues `known` before (True: with positions).

    Raises OSError where one cannot be written; then nothing is said of it either.
    """
    state, root = directory.state, str(directory.root)
    # Positions of an issue nobody has spoken on have never been there.
    wanted = [name for stem, said in known.items() for name in [issue_file(stem), position_file(stem)][: 1 + said]]
    wanted += ["agents.md", "meta.md"] if state.phase is not Phase.UNOPENED else []
    wanted += [f"sources/{name}.md" for name in state.sources] + (["topic.md"] if state.topic else [])
    for name in wanted:
        # Deleted files come back without a fact: nothing was moved, so nothing is recorded.
        if files.signature(f"{root}/{name}") is None:
            speech.put_back(name)
            directory.undone(name, 0, "the file was gone", None)
    if state.phase is Phase.POSITIONS or state.phase is Phase.DONE:
        text = directory.text("agents.md") or ""
        # By names alone: the rest of a line is a note for people.
        if [line.name for line in markdown.parse_agents(text)] != state.agents:
            _restore(directory, speech, "agents.md", "it named other agents than those who are seated")
    if state.final and directory.text("final.md") != state.final:
        _restore(directory, speech, "final.md", "it was not the document that was agreed")


def _restore(directory: Folder, speech: Speech, name: str, what: str) -> None:
    kept = directory.set_aside(name)
    speech.put_back(name)
    directory.undone(name, 0, what, None, kept)
