"""Text that is not code, merged by its lines: docstrings, comments. What only one side touched is taken from it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """The lines of both. Insertions at one place are both kept, in the order of their text.

    None where both rewrote one line."""
    if list(ours) == list(theirs) or list(theirs) == list(base):
        return list(ours)
    if list(ours) == list(base):
        return list(theirs)
    left, right = _changes(base, ours), _changes(base, theirs)
    out: list[str] = []
    at = 0
    while at <= len(base):
        a, b = left.get(at), right.get(at)
        insert_a, replaced_a = a or ((), 0)
        insert_b, replaced_b = b or ((), 0)
        if replaced_a and replaced_b:
            if a != b:
                return None
            out += insert_a
            at += replaced_a
            continue
        span = replaced_a or replaced_b
        if any(i in (right if replaced_a else left) for i in range(at + 1, at + span)):
            return None
        if replaced_b:
            out += [*insert_a, *insert_b]
        elif replaced_a:
            out += [*insert_b, *insert_a]
        else:
            out += _both(insert_a, insert_b)
        if span:
            at += span
            continue
        if at < len(base):
            out.append(base[at])
        at += 1
    return out


def _changes(base: Sequence[str], side: Sequence[str]) -> dict[int, tuple[tuple[str, ...], int]]:
    """Line of the base -> the lines that stand there now, and how many lines of the base they replace."""
    matcher = SequenceMatcher(None, [*base], [*side], autojunk=False)
    return {b1: (tuple(side[s1:s2]), b2 - b1) for tag, b1, b2, s1, s2 in matcher.get_opcodes() if tag != "equal"}


def _both(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Two insertions at one place, paragraph by paragraph: a parameter joins the parameters, a note the notes."""
    if list(ours) == list(theirs):
        return list(ours)
    ours, theirs = sorted([list(ours), list(theirs)])  # one order for what has none
    left, right = _paragraphs(ours), _paragraphs(theirs)
    if len(left) == 1 or len(right) == 1 or len(left) != len(right):
        if left and right and (len(left) == 1 or len(right) == 1) and left[0] and right[0]:
            head = [*left[0], *right[0]]
            rest = left[1:] or right[1:]
            return [line for i, part in enumerate([head, *rest]) for line in ([""] if i else []) + part]
        return [*ours, *theirs]
    out: list[str] = []
    for i, (a, b) in enumerate(zip(left, right, strict=True)):
        out += [""] if i else []
        out += a
        if a != b:
            out += ([""] if i and a and b else []) + b
    return out


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            parts[-1].append(line)
        else:
            parts.append([])
    return parts
