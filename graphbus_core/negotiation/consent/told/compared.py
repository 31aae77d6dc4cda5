"""A document held against what it should say: section by section, line by line. Each difference is one sentence."""

from __future__ import annotations

from collections import Counter

from graphbus_core.shown import shortened

FENCE = "```json consent-record"
HEAD = "the heading"


def differences(text: str, expected: str, whole: bool = True) -> list[str]:
    """What stands in `text` and should not, and the other way round.

    The record between its fences is left out: it is computed again by itself. `whole`: every section is expected; else
    those alone that stand in the text (documents of the first edition have fewer).
    """
    mine, theirs = _sections(expected), _sections(text)
    order = [title for title, _ in mine]
    wrong = [f"the section {t!r} is none of this document's" for t, _ in theirs if t not in order]
    # A section twice would let a forger put the true one where this looks and a false one where people read.
    doubled = [t for t, n in Counter(t for t, _ in theirs).items() if n > 1]
    wrong += [f"the section {t!r} stands there {'more than once'}" for t in doubled]
    # The first of a title counts, so the pairs are read backwards.
    there = dict(reversed(theirs))
    for title, body in mine:
        if title not in there:
            if whole:
                wrong.append(f"the section {title!r} is missing")
            continue
        wrong += _lines(title, there[title], body)
    if whole and not wrong and [t for t, _ in theirs] != order:
        wrong.append("the sections stand in another order")
    return wrong


def _sections(text: str) -> list[tuple[str, str]]:
    """(title, body) of each section; the fenced record is a place-holder."""
    plain = "\n" + text.replace("\r\n", "\n")
    start = plain.find(f"\n{FENCE}\n")
    if start >= 0:
        end = plain.find("\n```", start + 1 + len(FENCE))
        # The record itself holds headings, in the words that somebody quoted.
        plain = plain[: start + 1] + "(record)" + (plain[end + 4 :] if end >= 0 else "")
    head, *rest = plain.split("\n## ")
    out = [(HEAD, head)]
    for part in rest:
        title, _, body = part.partition("\n")
        out.append((title.strip(), body))
    return out


def _lines(title: str, there: str, expected: str) -> list[str]:
    # Blank lines and spaces at the end are what editors change by themselves.
    mine, theirs = ([x.rstrip() for x in body.split("\n") if x.strip()] for body in (expected, there))
    if mine == theirs:
        return []
    # Counted, because a line that stands twice where it should stand once is an addition.
    extra = Counter(theirs) - Counter(mine)
    missing = Counter(mine) - Counter(theirs)
    wrong = [f"{title}: {shortened(line, 160)!r} stands there and is not so" for line in extra]
    wrong += [f"{title}: {shortened(line, 160)!r} is missing" for line in missing]
    return wrong or [f"{title}: the lines stand in another order"]
