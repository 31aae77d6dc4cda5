"""Whether an answer is one: shape, options that exist, checks that may be called, red lines. Needs the ask alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.consent.vocabulary import MoveKind
from graphbus_core.negotiation.core import Ask, Json

MAX_TEXT = 20_000  # characters in one field of an answer
MAX_LINES = 200
STAND_ASIDE = "stand_aside"


def why_no_answer(ask: Ask, body: Json) -> str | None:
    """Why the body is not an answer to the ask, in words its author can act on; None if it is one."""
    if not isinstance(body, Mapping):
        return "an answer is a JSON object"
    if not _is_written(body):
        return "the text holds a lone surrogate, which is not a character: say it without"
    for name, value in body.items():
        if isinstance(value, str) and len(value) > MAX_TEXT:
            return f"{name!r} is longer than {MAX_TEXT} characters"
    if ask.kind == "position":
        return _texts(body, ("priority",), ("rationale", "red_line", "willing_to_trade"))
    if ask.kind == "turn":
        return _turn(ask, body)
    if ask.kind == "consent":
        return _consent(ask, body)
    return f"nothing is known of {ask.kind!r}"


def _is_written(body: Any) -> bool:
    """Whether all of it can stand in a file."""
    if isinstance(body, Mapping):
        return all(_is_written(part) for pair in body.items() for part in pair)
    if isinstance(body, list | tuple):
        return all(map(_is_written, body))
    if not isinstance(body, str) or body.isascii():
        return True
    try:
        body.encode()
    except UnicodeEncodeError:
        return False
    return True


def _turn(ask: Ask, body: Json) -> str | None:
    issues = ask.about["issues"]
    move = body.get("move")
    if move == MoveKind.PASS:
        return _texts(body, (), ("why",))
    if move in (MoveKind.DISCUSS, MoveKind.PROPOSE) and not ask.about.get("may_speak", True):
        return (
            "the turns that are left are as many as a check takes, so this could not be checked any more; "
            "call a check that states its terms, or pass"
        )
    if move == MoveKind.DISCUSS:
        return _texts(body, ("text",), ())
    if move == MoveKind.PROPOSE:
        if not issues and not body.get("terms"):
            return _texts(body, ("offer", "want"), ("rationale",))
        return _texts(body, (), ("offer", "want", "rationale")) or _terms(issues, body.get("terms"))
    if move == MoveKind.CHECK:
        if not ask.about["may_check"]:
            return f"no check can be called now: {ask.about['why_no_check']}; propose, discuss or pass"
        if body.get("terms"):
            return _terms(issues, body["terms"])
        standing = ask.about["proposal"]
        if standing is None:
            return "there is no proposal to be checked; propose one, or give the terms"
        if standing["objections"]:
            return f"proposal {standing['number']} was objected to; table a newer one first"
        return None
    return f"'move' is {move!r}; it is one of {', '.join(MoveKind)}"


def _consent(ask: Ask, body: Json) -> str | None:
    bound = body.get("hash")
    if bound is not None and bound != ask.about["proposal"]["hash"]:  # trap 10
        return "this answers another proposal than the current one"
    answer = body.get("answer")
    if answer == "object":
        return _texts(body, ("reason",), ())
    allowed = ("consent", STAND_ASIDE) if ask.about.get(STAND_ASIDE) else ("consent",)
    if answer not in allowed:
        return f"'answer' is {answer!r}; it is {', '.join(map(repr, allowed))} or 'object'"
    crossed = ask.about["red_lines_crossed"]
    if crossed:
        what = "consent" if answer == "consent" else "stand aside"
        return f"this crosses your own red line ({'; '.join(crossed)}), so you cannot {what}; object"
    return _texts(body, (), ("reason",)) if answer == STAND_ASIDE else None


def _texts(body: Json, needed: Sequence[str], optional: Sequence[str]) -> str | None:
    for name in needed:
        value = body.get(name)
        if not isinstance(value, str) or not value.strip():
            return f"{name!r} is missing: say it in words"
    for name in optional:
        if body.get(name) is not None and not isinstance(body[name], str):
            return f"{name!r} is not text"
    return None


def _terms(issues: Mapping[str, Any], terms: Any) -> str | None:
    """Why these are not terms; None if they are."""
    if not issues:
        if isinstance(terms, Mapping):
            texts: list[Any] = [*terms.keys(), *terms.values()]
        elif isinstance(terms, list | tuple):
            texts = list(terms)
        else:
            return "'terms' is a list of lines, or issue: option"
        if not texts or len(texts) > MAX_LINES or not all(isinstance(t, str) and t.strip() for t in texts):
            return f"'terms' is 1 to {MAX_LINES} lines of text"
        return "a line of the terms is too long" if any(len(t) > MAX_TEXT for t in texts) else None
    if not isinstance(terms, Mapping):
        return "'terms' names one option for every issue: {issue: option}"
    spelled = {str(k).strip().casefold(): v for k, v in terms.items()}
    if len(spelled) != len(terms):
        return "an issue is named twice"
    for name, issue in issues.items():
        option = spelled.pop(name.strip().casefold(), None)
        if option is None:
            return f"no option is named for {name!r}; it has {', '.join(issue['options'][:12])}"
        if str(option).strip().casefold() not in {o.strip().casefold() for o in issue["options"]}:
            return f"{name!r} has no option {option!r}; it has {', '.join(issue['options'][:12])}"
    if spelled:
        return f"there is no issue {min(spelled)!r}"
    return None
