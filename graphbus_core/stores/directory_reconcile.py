"""Bring a directory and its log together: what others did without us is read, recorded, or undone and said.

Agents with the old scripts, editors and people write the same files. Each difference is either a move that the rules
allow (a registration, a turn handed over), which becomes a fact, or it is put back; nothing is dropped in silence, and
what is put back is kept in `.graphbus/aside/` first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.document import rules
from graphbus_core.negotiation.document.coverage import missing_points, unique_points
from graphbus_core.negotiation.document.rules import issue_file, position_file
from graphbus_core.negotiation.document.vocabulary import NAME, RESERVED, Edits, Phase, Reason, Status
from graphbus_core.stores import directory_files as files
from graphbus_core.stores import directory_markdown as markdown
from graphbus_core.stores.directory_review import Review, review

if TYPE_CHECKING:
    from graphbus_core.stores.directory import NegotiationDirectory

GRACE_S = 0.06  # how long a file that somebody is just writing may be empty


def reconcile(directory: NegotiationDirectory) -> None:
    """One pass. Call it with the lock held; what it submits is recorded by the caller."""
    state = directory.state
    begun = state.phase is Phase.POSITIONS
    directory.seen_word = _word(directory)
    if state.phase is Phase.UNOPENED:
        adopt(directory)
    if state.phase is Phase.REGISTRATION:
        _settings(directory)
        _seats(directory)
        read_issues(directory)
    if state.phase is Phase.REGISTRATION:
        _close(directory)
    if state.phase is Phase.ANALYSIS:
        _analyses(directory)
    if begun and state.phase is Phase.POSITIONS:  # else turn.md has not been told of the first turn yet
        _turn(directory, directory.seen_word)
    _missing(directory)


def adopt(directory: NegotiationDirectory) -> None:
    """Begin a log for a directory that others opened."""
    try:
        settings, _ = markdown.parse_meta(directory.text("meta.md") or "")
    except ConfigError:
        settings, _ = markdown.parse_meta("")
    if directory.text("phase.md") is not None and not settings.rigorous:
        settings, _ = markdown.parse_meta("- **rigorous:** yes", settings)
    word = directory.seen_word or ""
    lines = {a.name: a.participant for a in markdown.parse_agents(directory.text("agents.md") or "")}
    agents = [[n, p] for n, p in lines.items() if NAME.fullmatch(n) and n not in RESERVED]
    if (word != "done" and word not in lines) or len(agents) < 2:
        directory.submit("", {"move": "open", "settings": settings.to_dict(), "how": "adopted"})
        return
    read_sources(directory)
    found = _found_issues(directory, lines)
    final = (_readable(directory, "final.md") or "") if word == "done" else ""
    move = {"move": "adopt", "settings": settings.to_dict(), "agents": agents, "issues": found}
    directory.submit("", {**move, "holder": word, "final": final})


def _found_issues(directory: NegotiationDirectory, agents: Iterable[str]) -> list[dict[str, Any]]:
    found = []
    for stem in directory.shelf.stems("issues"):
        text = _readable(directory, issue_file(stem))
        if text is None:
            continue
        sheet = markdown.parse_positions(_readable(directory, position_file(stem)) or "")
        seated = [s for s in sheet.sections if s.by in agents]
        status = sheet.status if sheet.status in tuple(Status) else str(Status.OPEN)
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


def _readable(directory: NegotiationDirectory, name: str) -> str | None:
    try:
        return directory.shelf.text(name)
    except files.Unreadable:
        return None


def _settings(directory: NegotiationDirectory) -> None:
    text = directory.text("meta.md")
    if text is None:
        return
    try:
        settings, _ = markdown.parse_meta(text, directory.state.settings)
    except ConfigError as e:
        directory.undone("meta.md", 0, str(e), text)
        directory.put_back("meta.md")
        return
    if settings != directory.state.settings:
        directory.submit("", {"move": "settings", "settings": settings.to_dict()})


def _seats(directory: NegotiationDirectory) -> None:
    text = directory.text("agents.md")
    if text is None:
        return
    lines = markdown.parse_agents(text)
    wrong = False
    seen: set[str] = set()
    for line in lines:
        if line.name in seen:
            directory.undone("agents.md", line.line, f"{line.name} stood here twice", line.raw)
            wrong = True
        elif line.name not in directory.state.agents:
            if refused := rules.to_register(directory.state, line.name, line.participant):
                directory.undone("agents.md", line.line, f"{line.name} was not seated: {refused[0]}", line.raw)
                wrong = True
            else:
                directory.submit(line.name, {"move": "register", "participant": line.participant})
        seen.add(line.name)
    if wrong:
        directory.put_back("agents.md")


def read_issues(directory: NegotiationDirectory) -> None:
    """Before the first turn anybody may file an issue and word it."""
    if not directory.shelf.stems("issues") and not directory.state.issues:
        return
    found = review(directory.state, directory.shelf, "")
    for new in found.edits.issues:
        if not rules.to_file(directory.state, ""):
            directory.submit("", {"move": "file", **new.to_dict()})
    word_issues(directory, found)


def word_issues(directory: NegotiationDirectory, found: Review) -> None:
    """Record the texts of issues that their authors completed."""
    for stem, title, text in found.worded:
        directory.submit("", {"move": "word", "stem": stem, "title": title, "text": text})


def read_sources(directory: NegotiationDirectory) -> None:
    """Record the topic and the documents as they are now, so that no text of anybody can get lost."""
    names = [("", "topic.md"), *((stem, f"sources/{stem}.md") for stem in directory.shelf.stems("sources"))]
    for name, file in names:
        text = _readable(directory, file)
        known = directory.state.sources.get(name) if name else directory.state.topic or None
        if text is not None and text != known and text.strip():
            directory.submit("", {"move": "source", "name": name, "text": text})


def _close(directory: NegotiationDirectory) -> None:
    state = directory.state
    if not state.agents:
        return
    word = directory.seen_word
    if word in state.agents and len(state.agents) >= 2:
        read_sources(directory)
        directory.submit("", {"move": "close", "why": "moved"})
        return
    since, _ = directory.watch.look("registration", "")
    if since >= state.settings.registration_window_s:
        read_sources(directory)
        directory.submit("", {"move": "close", "why": "window"})


def _analyses(directory: NegotiationDirectory) -> None:
    state = directory.state
    since, silent = directory.watch.look("analysis", directory.shelf.signs())
    late = silent >= state.settings.turn_timeout_s or since >= state.settings.max_turn_s
    for name in directory.session.protocol.analysts(state):  # type: ignore[attr-defined]
        if name in state.analyses or state.phase is not Phase.ANALYSIS:
            continue
        done = files.signature(directory.root / "analysis" / f".{name}-done") is not None
        if done or (late and state.seats.get(name) != "model"):
            why = "" if done else f"silent for {silent:.0f} s"
            drafts = []
            for stem in directory.shelf.stems(f"issues-draft/{name}"):
                text = _readable(directory, f"issues-draft/{name}/{stem}.md")
                if text and not markdown.unwritten(text):
                    topic = stem.partition("-")[2] or stem
                    drafts.append({"topic": topic, "title": markdown.issue_title(text, stem), "text": text})
            text = _readable(directory, f"analysis/{name}.md") or ""
            directory.submit(name, {"move": "analysis", "text": text, "issues": drafts, "why": why})


def _word(directory: NegotiationDirectory) -> str:
    """The word in turn.md; a file that somebody is just writing is given time to be written."""
    ends = time.monotonic() + GRACE_S
    while not (word := directory.word()) and time.monotonic() < ends:
        if directory.state.phase is Phase.UNOPENED:
            break
        time.sleep(0.004)
    return word


def _turn(directory: NegotiationDirectory, word: str) -> None:
    state = directory.state
    signs = directory.shelf.signs()
    since, silent = directory.watch.look(f"turn {state.turn} {state.holder}", signs)
    why = ""
    if silent >= state.settings.turn_timeout_s:
        why = f"silent for {silent:.0f} s"
    elif since >= state.settings.max_turn_s:
        why = f"its turn lasted {since:.0f} s"
    if word not in ("", state.holder):
        _moved(directory, word, why)
    elif why and not (state.all_settled() and any(state.awaiting_judge())):
        skip(directory, why)


def skip(directory: NegotiationDirectory, why: str) -> None:
    """The holder's turn is over without a hand-off; what it wrote is kept, as far as it keeps the rules."""
    holder = directory.state.holder
    edits = _take_over(directory, holder)
    if not edits.empty:
        directory.submit(holder, {"move": "note", **edits.to_dict()})
    directory.submit(holder, {"move": "skip", "why": why})


def _moved(directory: NegotiationDirectory, word: str, silent: str) -> None:
    """turn.md was changed without us (design §9): a hand-off by its holder, if it can be one at all."""
    state, holder = directory.state, directory.state.holder
    if word == "done":
        final = _readable(directory, "final.md") or ""
        found = review(state, directory.shelf, holder)
        audited = bool((_readable(directory, "coverage-audit.md") or "").strip())
        if reasons := rules.to_finish(state, found.edits, final, audited):
            said = "; ".join(map(str, reasons[:5]))
            directory.undone("turn.md", 1, f"it said done, but {len(reasons)} things are open: {said}", word)
            return
        finish(directory, found, final)
        return
    if word != state.after(holder):
        directory.undone("turn.md", 1, f"it named {word[:80]!r}, but the turn is {holder}'s", word)
        return
    found = review(state, directory.shelf, holder)
    after = state.clone()
    owed = [r for r in rules.to_hand_off(after, holder, Edits()) if r.code in ("owed", "last_round")]
    if found.edits.empty and not state.busy and owed and not silent:
        # As a late start of the old scripts does it: a hand-off would have had words in it.
        directory.undone("turn.md", 1, f"it named {word}, but {holder} had not said a word yet", word)
        return
    if found.edits.empty and silent:
        skip(directory, silent)
        return
    edits = _take_over(directory, holder)
    directory.submit(holder, {"move": "hand-off", "how": "moved", **edits.to_dict()})


def _take_over(directory: NegotiationDirectory, holder: str) -> Edits:
    """The holder's edits that keep the rules; the rest is undone, kept aside and reported."""
    read_sources(directory)
    found = review(directory.state, directory.shelf, holder)
    word_issues(directory, found)
    edits, reasons = rules.admissible(directory.state, holder, found.edits)
    undo(directory, reasons)
    return edits


def undo(directory: NegotiationDirectory, reasons: Iterable[Reason]) -> None:
    """Set aside each file that breaks a rule, say so, and have it put back as the log has it."""
    by_file: dict[str, list[Reason]] = {}
    for reason in reasons:
        by_file.setdefault(reason.file, []).append(reason)
    for file, several in by_file.items():
        kept = directory.set_aside(file)
        for reason in several:
            directory.undone(file, reason.line, reason.what, None, kept)
        directory.put_back(file)


def finish(directory: NegotiationDirectory, found: Review, final: str) -> None:
    """Record the last edits and the end. The rules have been asked."""
    read_sources(directory)
    word_issues(directory, found)
    state = directory.state
    if not found.edits.empty:
        directory.submit(state.holder, {"move": "note", **found.edits.to_dict()})
    points = missing_points(unique_points(state.sources), final)
    left_out = tuple(f"sources/{p.source}.md:{p.line}: {p.text}" for p in points[:500])
    directory.submit(state.holder, {"move": "finish", "final": final, "audited": True, "left_out": left_out})


def _missing(directory: NegotiationDirectory) -> None:
    """Files that somebody deleted come back from the log."""
    state, root = directory.state, str(directory.root)
    for stem, issue in state.issues.items():
        wanted = [issue_file(stem)]
        if issue.entries or not issue.open:
            wanted.append(position_file(stem))
        for name in wanted:
            if files.signature(f"{root}/{name}") is None:
                directory.undone(name, 0, "the file was gone", None)
                directory.put_back(name)
