"""One turn in two calls: wait for it and be told what is new; say all of it at once, and hand off or finish.

While it waits an agent costs next to nothing: a few looks at whether files changed, and now and then a full one, which
also skips whoever is silent.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphbus_core.document import NegotiationDirectory, Told, brief as briefs, saying
from graphbus_core.document.table import turns
from graphbus_core.negotiation.document import rules
from graphbus_core.negotiation.document.questions import number_of
from graphbus_core.negotiation.document.said.vocabulary import Edits, Phase

# Three `stat` calls every 0.4 s: nothing to a processor, and a person does not notice the wait.
GLANCE_S = 0.4  # between two looks at whether a file changed
# A full look takes the lock. With ten agents waiting at one table, more often would mean that they queue.
LOOK_S = 20.0  # between two full looks, which also notice silence
FORMING_LOOK_S = 3.0  # while registration or the analyses are open


def wait(
    where: NegotiationDirectory, name: str, done: Callable[[dict[str, Any]], bool], within_s: float | None
) -> Told:
    """Look until `done` says so of whose turn it is, or the time is up."""
    ends = None if within_s is None else time.monotonic() + within_s
    while True:
        told = where.poll(name)
        if done(told.data) or (ends is not None and time.monotonic() >= ends):
            return told
        pause = LOOK_S if told.data["phase"] == Phase.POSITIONS else FORMING_LOOK_S
        if where.shared:
            # Over git nothing changes on this disk by itself, so the glance would wait in vain.
            pause = told.data["poll_s"]  # no file moves here before it was fetched
        full = time.monotonic() + pause
        before = glance(where.root)
        while time.monotonic() < full and (ends is None or time.monotonic() < ends):
            left = GLANCE_S if ends is None else max(0.0, min(GLANCE_S, ends - time.monotonic()))
            # Never beyond the end of the caller's time, also on the last round.
            time.sleep(left)
            if glance(where.root) != before:
                break


def glance(root: Path) -> tuple[Any, ...]:
    """What changes when somebody moves: three looks at the file system."""
    return tuple(_sign(root / name) for name in ("turn.md", ".graphbus/log.jsonl", "agents.md"))


def _sign(path: Path) -> tuple[int, int, int] | None:
    try:
        info = os.stat(path, follow_symlinks=False)
    # The inode too: a file that is replaced can have the size and, on a coarse clock, the time of the one before.
    except OSError:
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns


def told(where: NegotiationDirectory, name: str, everything: bool = False) -> str:
    """What this agent is told now that its turn has come; what was shown is not shown again."""
    state = where.look(working=True)
    before = briefs.Shown() if everything else briefs.shown(where.hidden, name)
    text = briefs.told(state, name, before)
    briefs.mark(where.hidden, name, state)
    return text


def say(where: NegotiationDirectory, name: str, text: str, keep: bool = False) -> Told:
    """A whole turn at once, all of it or nothing. `data["end"]` says what came of it: "kept", "handed" or
    "finished"."""
    with where.acting(name) as state:
        if reasons := where.may_act(state, name):
            return Told(reasons)
        found = where.written(name)
        # From the files: numbers of issues that lie there unrecorded are taken.
        taken = max([0, *map(number_of, where.shelf.stems("issues"))])
        own, unread = saying.edits(state, name, saying.read(text), taken)
        if unread:
            # Before anything is judged: half of what was meant would be judged as the whole.
            return Told(unread)
        merged = _merged(found.edits, own)
        judged, wrong = rules.judged(state, name, merged)
        reasons = (*merged.flaws, *(why for _, why in wrong))
        if not keep and not reasons:
            # A text that is kept for later need not be a complete turn.
            reasons = rules.to_hand_off(state, name, merged)
        if reasons:
            return Told(tuple(saying.lined(reasons, own)))
        # Whether all is over is computed from the turn before it is recorded: a hand-off to nobody would be a fact of
        # its own.
        after = rules.agreed_in(rules.after_turn(state, merged))
        over = after.all_settled() and not any(after.awaiting_judge())
        if keep:
            where.submit(name, {"move": "note", **judged.to_dict()})
            return Told(data={"end": "kept", **_sums(judged)})
        if over and not state.settings.rigorous:
            return _finish(where, name, judged, merged)
        turns.read_sources(where)
        turns.word_issues(where, found)
        where.submit(name, {"move": "note", **judged.to_dict()})
        turns.end_turn(where, name, "hand-off", Edits(remarks=merged.remarks), merged)
        return Told(data={"end": "handed", "holder": where.state.holder, **_sums(judged)})


def _finish(where: NegotiationDirectory, name: str, judged: Edits, merged: Edits) -> Told:
    """Everything is agreed with this turn: it ends here, with the document that stands there or the generated one."""
    after = rules.agreed_in(rules.after_turn(where.state, merged))
    final = where.document(after)
    # Audited is True: here the generated document is meant, and that one holds every decision.
    if reasons := rules.to_finish(where.state, merged, final, True):
        return Told(reasons)
    turns.read_sources(where)
    where.submit(name, {"move": "note", **judged.to_dict()})
    turns.close(where, name, final)
    return Told(data={"end": "finished", "left_out": list(where.state.left_out), **_sums(judged)})


def _merged(files: Edits, own: Edits) -> Edits:
    """What stands in the files and what is said now, as one turn."""
    # Files first: their lines came before, and a duplicate is told at the place that was said later.
    return Edits(
        files.words + own.words,
        files.marks + own.marks,
        files.issues + own.issues,
        files.flaws,
        files.remarks,
        files.blank,
        files.accepts + own.accepts,
    )


def _sums(edits: Edits) -> dict[str, int]:
    offers = sum(words.offer for words in edits.words)
    return {
        "accepted": len(edits.accepts),
        "offered": offers,
        "said": len(edits.words) - offers,
        "filed": len(edits.issues),
        "escalated": len(edits.marks),
    }
