"""A red line in somebody's own words, read as one that can be checked; and said back in words that name the options.

Only what names options or numbers of the decision is read: "no plain files", "never dynamo with disk encryption", "at
most 6000 a month", "it must be postgres". Anything else is None: it stands as text, and nobody pretends to check it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphbus_core.negotiation.consent.scenario.scenario import Forbidden, Issue, Limit, RedLine

_MOST = re.compile(r"\b(?:at most|no more than|not more than|up to|below|under|max(?:imum)?)\s+(-?\d[\d,.]*)", re.I)
_LEAST = re.compile(r"\b(?:at least|no less than|not less than|above|over|min(?:imum)?)\s+(-?\d[\d,.]*)", re.I)
_NEVER = re.compile(r"\b(?:no|not|never|without|nothing|avoid|reject|exclude|cannot|can't|won't|don't)\b", re.I)
_MUST = re.compile(r"\b(?:must|only|has to|have to|needs? to|insist)\b", re.I)


def read_line(owner: str, text: str, issues: Sequence[Issue]) -> RedLine | None:
    """The red line that the text is, or None where it names nothing that can be checked."""
    limit = _limit(text, issues)
    if limit is not None:
        return RedLine(owner, limit, text.strip())
    named = _named(text, issues)
    if not named:
        return None
    if _NEVER.search(text):
        return RedLine(owner, Forbidden({i: frozenset(o) for i, o in named.items()}), text.strip())
    if _MUST.search(text) and len(named) == 1:
        (issue, wanted), *_ = named.items()
        others = frozenset(range(len(issues[issue].options))) - frozenset(wanted)
        return RedLine(owner, Forbidden({issue: others}), text.strip()) if others else None
    return None


def read_back(line: RedLine, issues: Sequence[Issue]) -> str:
    """What will be checked, in words."""
    rule = line.rule
    if isinstance(rule, Limit):
        names = " + ".join(issues[i].name for i in rule.issues)
        bounds = [f"{w} {v:g}" for w, v in (("at least", rule.at_least), ("at most", rule.at_most)) if v is not None]
        return f"{names} must be {' and '.join(bounds)}"
    assert isinstance(rule, Forbidden), "words give a combination or a limit"
    parts = [
        f"{issues[i].name} is {' or '.join(issues[i].options[o] for o in sorted(options))}"
        for i, options in rule.combination.items()
    ]
    return f"never a deal in which {' and '.join(parts)}"


def _limit(text: str, issues: Sequence[Issue]) -> Limit | None:
    most, least = _MOST.search(text), _LEAST.search(text)
    if most is None and least is None:
        return None
    numeric = [n for n, i in enumerate(issues) if i.numbers is not None]
    named = [n for n in numeric if _mentions(text, issues[n].name) or _mentions(text, issues[n].title)]
    chosen = named if len(named) == 1 else numeric if len(numeric) == 1 else []
    if not chosen:
        return None
    return Limit((chosen[0],), _number(least), _number(most))


def _number(found: re.Match[str] | None) -> float | None:
    return None if found is None else float(found[1].rstrip(".,").replace(",", ""))


def _named(text: str, issues: Sequence[Issue]) -> dict[int, set[int]]:
    """The options that the text names, by issue; a number only beside its issue's name."""
    out: dict[int, set[int]] = {}
    for i, issue in enumerate(issues):
        for o, option in enumerate(issue.options):
            if issue.numbers is not None and not _mentions(text, issue.name):
                continue
            if _mentions(text, option) or (len(option) > 3 and _mentions(text, issue.meanings.get(option, ""))):
                out.setdefault(i, set()).add(o)
    return out


def _mentions(text: str, name: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name.strip())}(?!\w)", text, re.I) is not None
