"""Open or join, name yourself, bring your plan, register: what an agent does before its first turn (seed 004)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.document.vocabulary import MAX_TEXT, Reason, Settings
from graphbus_core.stores import directory_files as files
from graphbus_core.stores.directory import NegotiationDirectory, Told


def join(
    directory: NegotiationDirectory,
    settings: Settings,
    topic: str,
    sources: Sequence[Path],
    name: str,
    participant: str,
    resume: bool,
    usual: Sequence[str],
) -> Told:
    """`data` has `name`, `initializer`, `resumed`. Raises UsageError for a source that cannot be read."""
    plans = [(path, plan(path)) for path in sources]
    told = directory.init(settings)
    if not told.ok:
        return told
    first = bool(told.data["initializer"])
    state = directory.look()
    mine = participant and state.seat_of(participant)
    if mine or (resume and name in state.agents and not state.participants.get(name)):
        return Told(data={"name": mine or name, "initializer": False, "resumed": True})
    if topic:
        files.create(directory.root / "topic.md", f"# Topic\n\n{topic.strip()}\n", directory.hidden)
    for path, text in plans:
        bring(directory, path.stem, text)
    reasons: tuple[Reason, ...] = ()
    for one in [name] if name else [*usual, *(f"agent-{n}" for n in range(len(usual) + 1, 257))]:
        told = directory.register(one, participant)
        if told.ok:
            return Told(data={"name": one, "initializer": first, "resumed": False, "agents": told.data["agents"]})
        reasons = told.reasons
        if told.code != "taken":
            break
    return Told(reasons)


def bring(directory: NegotiationDirectory, stem: str, text: str) -> str:
    """Put a document into `sources/` under a name that is free, or find it there. Returns the name."""
    number = 1
    while True:
        name = stem if number == 1 else f"{stem}-{number}"
        path = directory.root / "sources" / f"{name}.md"
        if directory.text(f"sources/{name}.md") == text or files.create(path, text, directory.hidden):
            return name
        number += 1
        if number > 1000:
            raise UsageError(f"There are a thousand sources named {stem}; give this one another name.")


def plan(path: Path) -> str:
    """A document to reconcile. Raises UsageError where it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"The source {path} cannot be read as UTF-8 text: {e}.") from None
    if len(text) > MAX_TEXT:
        raise UsageError(f"The source {path} has {len(text):,} characters; {MAX_TEXT:,} at most.")
    return text
