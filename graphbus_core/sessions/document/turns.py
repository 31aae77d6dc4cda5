"""Turns as they end in the files: what was written in them is recorded, and what breaks a rule is undone and said.

Also where the turn moved without us (design §9): the scripts in use write turn.md themselves. Whoever they name has
been given the turn by the one before it, and may have begun, or even have handed over, before we looked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from graphbus_core.negotiation.document import agreement, rules, signing, validation
from graphbus_core.negotiation.document.model import FINAL, Accept, Edits, Phase, Reason
from graphbus_core.negotiation.document.state import State
from graphbus_core.sessions.document import files
from graphbus_core.sessions.document.folder import Folder
from graphbus_core.sessions.document.review import Review, review

# An agent that waits polls every `poll_interval_seconds` (seed 004, "Poll Loop"): missing so many is more than a delay.
MISSED_POLLS = 12
_EVERY_SEAT = (
    "Everything is settled: final.md with fates.md has the hash {digest}. Every seat accepts it in a turn of its own, "
    "by `finish` or with the one line `ACCEPTS {digest}` in an entry here. Another final.md has another hash, and is "
    "accepted anew."
)


def read_text_or_none(directory: Folder, name: str) -> str | None:
    """A file's text; None where there is none or it cannot be read."""
    try:
        return directory.shelf.read_text(name)
    except files.UnreadableFile:
        return None


def record_sources(directory: Folder) -> None:
    """Record the topic and the documents as they are now, so that no text of anybody can get lost."""
    names = [("", "topic.md"), *((stem, f"sources/{stem}.md") for stem in directory.shelf.list_stems("sources"))]
    for name, file in names:
        text = read_text_or_none(directory, file)
        known_text = directory.state.sources.get(name) if name else directory.state.topic or None
        if text is not None and text != known_text and text.strip():
            # Empty is what an editor leaves for a moment when it saves. Nobody takes a source away in the middle of a
            # talk.
            directory.submit("", {"move": "source", "name": name, "text": text})


def record_worded_issues(directory: Folder, turn_review: Review) -> None:
    """Record the texts of issues that their authors completed."""
    for stem, title, text in turn_review.worded:
        directory.submit("", {"move": "word", "stem": stem, "title": title, "text": text})


def end_turn_if_over(directory: Folder, word: str) -> None:
    """Whether the holder's turn is over: turn.md says `word`, or the holder has been silent too long."""
    state = directory.state
    since, silent = directory.observe_silence()
    why = ""
    # Silence before the length of the turn: it is the reason that its agent can do something about.
    if silent >= state.settings.turn_timeout_s:
        why = f"silent for {silent:.0f} s"
    elif silent >= MISSED_POLLS * state.settings.poll_interval_s and _has_left(directory):
        why = f"it has not polled for {silent:.0f} s since turn.md said done, and has left"
    elif since >= state.settings.max_turn_s:
        why = f"its turn lasted {since:.0f} s"
    # A word in turn.md is somebody's move and goes first; a timeout comes around again.
    if word not in ("", state.holder):
        _apply_external_hand_off(directory, word, why)
    # Nobody is skipped while only a judge is waited for: the holder has nothing that it could say.
    elif why and not (state.are_all_settled() and any(state.find_awaiting_judge())):
        skip_turn(directory, why)


def _has_left(directory: Folder) -> bool:
    """Whether the holder may have left on a `done`, and has not said since that it began this turn. After a recall we
    leave .turn-started to its own poll, so that there is a sign to miss."""
    begun = (directory.read_text(".turn-started") or "").split("\n")[0].strip()
    return directory.state.may_have_left(directory.state.holder) and begun != directory.state.holder


def skip_turn(directory: Folder, why: str) -> None:
    """The holder's turn is over without a hand-off; what it wrote is kept, as far as it keeps the rules."""
    holder = directory.state.holder
    admitted, marked = _take_over_edits(directory, holder)
    edits = admitted
    if holder in directory.state.tokens:  # anybody could have written them, and an entry of its own binds it
        what = f"{holder} did not hand this over with its token before its time was up"
        touched = dict.fromkeys(
            item.issue for items in (admitted.words, admitted.marks, admitted.accepts) for item in items
        )
        touched.pop(FINAL, None)
        undo_files(directory, [Reason(what, "", validation.position_file(stem)) for stem in touched])
        # Its words alone are kept out. That others' files were not touched, the undo below has seen to.
        edits = replace(edits, words=(), marks=(), accepts=())
    turn = directory.state.turn
    if not edits.is_empty or edits.remarks:
        # Kept before the skip: entries belong to the turn in which they were written.
        directory.submit(holder, {"move": "note", **edits.to_dict()})
    directory.submit(holder, {"move": "skip", "why": why})
    explain_turn(directory, holder, turn, edits, marked)


def end_turn(directory: Folder, name: str, how: str, edits: Edits, marked: Edits) -> None:
    """Record a turn that is over, and explain what of it was not taken as it was `marked`."""
    turn = directory.state.turn
    directory.submit(name, {"move": "hand-off", "how": how, "judged": True, **edits.to_dict()})
    explain_turn(directory, name, turn, edits, marked)


def explain_turn(directory: Folder, name: str, turn: int, edits: Edits, marked: Edits) -> None:
    """Put what the moderator has to say of a turn into the position files: there agents with other scripts read."""
    for stem, words in agreement.explain_resolved_marks(directory.state, name, turn, edits, marked):
        post_note(directory, stem, words)
    state = directory.state
    ours = state.direct | state.tokens.keys()
    if state.draft_hash and state.holder and any(n not in ours for n in signing.list_unsigned(state)):
        # Agents with other scripts look at position files alone.
        post_note(directory, next(iter(state.issues)), _EVERY_SEAT.format(digest=state.draft_hash))


def post_note(directory: Folder, stem: str, words: str) -> None:
    """Say this once in an issue's position file."""
    issue = directory.state.issues[stem]
    if not any(e.kind == "note" and e.text == words for e in issue.entries):
        directory.submit("", {"move": "explain", "issue": stem, "text": words})


def _apply_external_hand_off(directory: Folder, word: str, silent: str) -> None:
    """turn.md was changed without us: hand-offs by the holder and perhaps those after it, if it can be that at all."""
    state, holder = directory.state, directory.state.holder
    # A token means that this seat hands over by command. A word in a file proves nobody, and anybody can write it.
    if holder in state.tokens:
        if silent:
            skip_turn(directory, silent)
            return
        what = f"it named {word[:80]!r}, but {holder} sits here with a token, and hands over by command (--seat FILE)"
        directory.report_undone("turn.md", 1, what, word)
        return
    begun = (directory.read_text(".turn-started") or "").split("\n")[0].strip()
    # After "done" nobody is named: who began last by the scripts' own mark is who said it.
    last = word if word != "done" else begun if begun in state.agents and begun not in state.direct else holder
    passed = _infer_hand_offs(directory, last, begun, word == "done")
    # Nobody could have handed over that far: the word is put back, and the turn stays where it was.
    if passed is None:
        directory.report_undone("turn.md", 1, f"it named {word[:80]!r}, but the turn is {holder}'s", word)
        return
    # Whoever has begun its turn by the scripts' poll, which says so in .turn-started, may have written already.
    started = {last} if begun == last and last not in state.direct else set()
    unsaid = state.turn
    for place, name in enumerate(passed):
        later = started | set(passed[place + 1 :])
        # Each of those who passed is read without the words of those after it: entries belong to turns.
        turn_review = review(state, directory.shelf, name, later, unsaid)
        if not place and turn_review.edits.is_empty:
            if silent:
                skip_turn(directory, silent)
                continue
            if len(passed) == 1 and not turn_review.waiting and _owes_words(state, name):
                # As a late start of the old scripts does it: a hand-off would have had words in it.
                directory.report_undone("turn.md", 1, f"it named {word}, but {name} had not said a word yet", word)
                return
        edits, marked = _take_over_edits(directory, name, later, unsaid)
        end_turn(directory, name, "moved", edits, marked)
        # The rules ended the talk with this turn; the others named in turn.md had none.
        if state.holder != state.find_next_holder(name):
            return  # it ended here
    if word == "done":
        _apply_external_finish(directory, unsaid)


def _owes_words(state: State, name: str) -> bool:
    """Whether the holder has not said a word in its turn, and owes one."""
    # On a copy: asking must not move the state.
    owed = (r for r in rules.check_hand_off(state.clone(), name, Edits()) if r.code in ("owed", "last_round"))
    return not state.busy and any(owed)


def _infer_hand_offs(directory: Folder, last: str, begun: str, is_done: bool) -> list[str] | None:
    """Who handed over until `last` had the turn, from the holder on; None where it cannot have been so.

    One hand-off needs no proof. For more, each of the others must have written, and not be one that hands over through
    us; and the turn must not still be marked as the holder's.
    """
    state = directory.state
    if last not in state.agents:
        return None
    passed: list[str] = []
    name = state.holder
    while name != last:
        passed.append(name)
        name = state.find_next_holder(name)
    others = passed if is_done else passed[1:]
    # A chain of hand-offs that we did not see is believed only with a trace of each link.
    if others:
        wrote = review(state, directory.shelf, state.holder, state.agents).waiting
        direct = state.direct | state.tokens.keys()
        if begun not in ("", last) or any(n in direct or n not in wrote for n in passed[1:]):
            return None
    return passed


def _apply_external_finish(directory: Folder, unsaid: int) -> None:
    """turn.md says done: the holder has finished it, if the rules allow that."""
    state = directory.state
    final = read_text_or_none(directory, "final.md") or ""
    turn_review = review(state, directory.shelf, state.holder, unsaid=unsaid)
    audited = bool((read_text_or_none(directory, "coverage-audit.md") or "").strip())
    if reasons := rules.check_finish(state, turn_review.edits, final, audited):
        reason_text = "; ".join(map(str, reasons[:5]))
        directory.report_undone(
            "turn.md", 1, f"it said done, but {len(reasons)} things are open: {reason_text}", "done"
        )
        directory.submit(state.holder, {"move": "recall"})
        # It still owes something, so the turn stays its own: else it would lose the chance to say it.
        if rules.check_hand_off(state.clone(), state.holder, turn_review.edits):
            _explain_early_end(directory, reasons, f"{state.holder} finished too early, and still has the turn.")
            return
        # It did all that it owes: the others' acceptance is what is missing, and so the turn is theirs.
        name = state.holder
        edits, marked = _take_over_edits(directory, name, (), unsaid)
        end_turn(directory, name, "moved", edits, marked)
        _explain_early_end(directory, reasons, f"{name} finished too early; the turn is {state.holder}'s.")
        return
    name = state.holder
    sign_final(directory, turn_review, final, audited)
    if directory.state.phase is not Phase.DONE:
        directory.submit(name, {"move": "recall"})
        end_turn(directory, name, "moved", Edits(), Edits())


def _explain_early_end(directory: Folder, reasons: Iterable[Reason], what: str) -> None:
    """Why it is not over, in the position files of the issues: an agent that finished too early would loop
    otherwise."""
    state = directory.state
    by_file = {validation.position_file(stem): stem for stem in state.issues}
    for reason in reasons:
        titled = next((s for s, i in state.issues.items() if repr(i.title) in reason.what), "")
        stem = by_file.get(reason.file) or titled or next(iter(state.issues), "")
        # Something must say it where agents look; the first issue is as good as any for a fault of the whole.
        if stem:
            post_note(directory, stem, f"{what} {reason.what}")


def _take_over_edits(
    directory: Folder, holder: str, later: Collection[str] = (), unsaid: int = 0
) -> tuple[Edits, Edits]:
    """The holder's edits that keep the rules, and as they were marked; the rest is undone, kept aside and reported."""
    record_sources(directory)
    turn_review = review(directory.state, directory.shelf, holder, later, unsaid)
    record_worded_issues(directory, turn_review)
    # Whatever is admissible is kept even from a turn that broke a rule: honest words are not punished for the others.
    edits, reasons = validation.select_admissible(directory.state, holder, turn_review.edits)
    undo_files(directory, reasons)
    return edits, turn_review.edits


def undo_files(directory: Folder, reasons: Iterable[Reason]) -> None:
    """Set aside each file that breaks a rule, say so, and have it put back as the log has it."""
    by_file: dict[str, list[Reason]] = {}
    for reason in reasons:
        by_file.setdefault(reason.file, []).append(reason)
    for file, several in by_file.items():
        # One copy a file, before anything is put back: several reasons may speak of the same file.
        copy_path = directory.set_aside(file)
        for reason in several:
            directory.report_undone(file, reason.line, reason.what, None, copy_path)
        directory.schedule_restore(file)


def read_final(directory: Folder) -> str:
    """The final document as it lies there."""
    return read_text_or_none(directory, FINAL) or directory.state.draft


def sign_final(directory: Folder, turn_review: Review, final: str, audited: bool = True) -> None:
    """Record the last edits, and that the holder accepts this document. The rules have been asked. With everybody's
    acceptance it ends."""
    name = directory.state.holder
    record_sources(directory)
    record_worded_issues(directory, turn_review)
    if not turn_review.edits.is_empty or turn_review.edits.remarks:
        directory.submit(name, {"move": "note", **turn_review.edits.to_dict()})
    # What this turn accepts is agreed first: the document is about it.
    directory.submit(name, {"move": "closing"})
    if signing.is_drafted(directory.state, final):
        signature = Edits(accepts=(Accept(FINAL, directory.state.draft_hash),))
        directory.submit(name, {"move": "note", **signature.to_dict()})
    else:
        directory.submit(name, {"move": "draft", "final": final, "audited": audited})
