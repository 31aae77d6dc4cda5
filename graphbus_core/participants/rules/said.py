"""What a description or a docstring says of a field: that it is the other end's field of another name, or not.

A text counts only if it says nothing else. What may stand round a name is a short list of forms ("the `glow` of Forge",
"same as unit_price", "`glow` is what Smith.strike calls `colour`"), because the ways to say that two things differ have
no end: lives with it, follows it, at most it, a fifth of it.
"""

from __future__ import annotations

import re
from typing import Any

from graphbus_core.participants.rules import names

_DENIED = re.compile(
    r"\b(not|never|no|unlike|instead|rather|other|another|without|except|minus|plus|convert\w*|deriv\w*|comput\w*|"
    r"(?:\w+er|more|less) than|calculat\w*|differs?|different|sum|half|times|per|based|old|former|formerly|last|next|"
    r"previous|first|each|every|all|any|deprecated|rest|share|part)\b",
    re.IGNORECASE,
)
_WHOSE = r"(?:(?:the|an?|its|our) )?[A-Za-z][\w.]*"  # "Forge", "the order", "Smith.strike"


def explains(text: Any, mine: str, theirs: str, end: tuple[str, str]) -> bool:
    """Whether a text that stands at the field `mine` says that it is `theirs`, the field of `end` (node and method).

    A plain word of English is a name only in quotes, or where the end that has it is named with its method.
    """
    if not isinstance(text, str):
        return False
    return any(_says(one, mine, theirs, end) for one in re.split(r"(?<=[.;])\s+", text.strip()))


def explained_in(line: str, mine: str, theirs: str, end: tuple[str, str]) -> bool:
    """The same of a line of a docstring, which has to name `mine` as well."""
    own = rf"(?:[-*] )?[`'\"]?{re.escape(mine)}[`'\"]?(?: ?\([^)]*\))?(?: ?[:=–-]| is) ?(.+)"
    for one in re.split(r"(?<=[.;])\s+", line.strip()):
        found = re.fullmatch(own, one)
        beside = re.search(rf"(?<!\w)[`'\"]?{re.escape(mine)}[`'\"]? \(([^()]+)\)", one)
        if any(_says(said[1], mine, theirs, end) for said in (found, beside) if said):
            return True
        if any(_called(clause, mine, theirs) for clause in re.split(r"(?<=:)\s+", one)):
            return True
    return False


def _says(text: str, mine: str, theirs: str, end: tuple[str, str]) -> bool:
    text = text.strip().rstrip(".;,").strip()
    if _DENIED.search(text):
        return False
    return _called(text, mine, theirs) or _is_it(text, theirs) or _of_the_end(text, theirs, end)


def _is_it(text: str, theirs: str) -> bool:
    name = _marked(theirs)
    of = rf"(?: (?:of|from) {_WHOSE}| as {_WHOSE} (?:gives|sends|returns|names|calls) it)?"
    by = rf"(?: (?:by|in|at) {_WHOSE}| upstream| elsewhere| there| before)?"
    forms = (
        rf"(?:the |its |{_WHOSE}'s? )?{name}{of}",
        rf"(?:the )?(?:same|identical) (?:as|to|thing as|value as) (?:the )?{name}{of}",
        rf"(?:also |otherwise )?(?:called|named|known as|aka|an? alias (?:of|for)|alias|another name for) {name}{by}",
        rf"(?:it )?(?:is )?(?:taken |comes |copied |filled |read )?(?:unchanged |straight )?from (?:the )?{name}{of}",
        rf"what {_WHOSE} (?:calls|names|gives as|sends as|knows as) {name}",
    )
    return any(re.fullmatch(form, text) for form in forms)


def _called(text: str, mine: str, theirs: str) -> bool:
    """ "`glow` is what Smith.strike calls `colour`", from either side."""
    if _DENIED.search(text):
        return False
    form = r"(?:the )?{} is what {} (?:calls|names|takes as|gives as|sends as|knows as) {}"
    text, word = text.strip().rstrip("."), r"[`'\"]?{}[`'\"]?"
    one, other = (word.format(re.escape(name)) for name in (mine, theirs))
    return any(re.fullmatch(form.format(a, _WHOSE, b), text) for a, b in ((one, other), (other, one)))


def _of_the_end(text: str, theirs: str, end: tuple[str, str]) -> bool:
    whose, what = re.escape(".".join(end)), re.escape(theirs)
    forms = (
        rf"(?:the )?{what} (?:of|from|as) {whose}(?: (?:gives|sends|returns|calls|takes|names|reads|knows) it)?",
        rf"(?:the )?{what} that {whose} (?:gives|sends|returns)",
        rf"{whose}(?:'s |\.| calls it | gives it as | takes it as | sends it as ){what}",
        rf"(?:it )?(?:goes|is given|is sent|is handed) to {whose} as {what}",
    )
    return all(end) and any(re.fullmatch(form, text) for form in forms)


def _marked(field: str) -> str:
    """A name in a text: in quotes, or of several words."""
    exact = re.escape(field)
    return rf"(?:`{exact}`|'{exact}'|\"{exact}\"{f'|{exact}' if len(names.words(field)) > 1 else ''})"
