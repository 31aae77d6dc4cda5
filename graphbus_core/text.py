"""Text that others wrote, as it may be printed: control characters are shown, not obeyed (design §13).

A proposal comes from a model, a log from anywhere. What of them reaches a terminal goes through here, so that it can
neither colour, move, retitle nor reorder what a person reads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Everything of C0 and C1 but tab and line feed; what reorders a line; separators that some terminals break a line at;
# and lone surrogates, which no terminal can be sent.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def escape_text(text: str) -> str:
    """A text of several lines: every control character but tab and line end is written out, as `\\x1b`."""
    return _OBEYED.sub(_escape_character, text.replace("\r\n", "\n"))


def escape_line(text: str) -> str:
    """The same in one line: a line end is written out too, so that no text can pass for a line of ours."""
    return escape_text(text).replace("\n", "\\n")


def shorten(text: str, most: int) -> str:
    """The text, with its end cut off where it has more than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def format_count(number: int, what: str, one: str = "", more: str = "") -> str:
    """`1 link`, `1,200 links`; with what they do, `1 link does`, `2 links do`. Whatever is counted is counted here."""
    plural = f"{what[:-1]}ies" if re.search("[^aeiou]y$", what) else f"{what}s"
    says = one if number == 1 else more
    return f"{number:,} {what if number == 1 else plural}{says and ' '}{says}"


def join_few(names: Sequence[object], most: int, between: str = ", ", what: str = "more") -> str:
    """`a, b and 3 more`: the first of them, and how many there are beside."""
    text = between.join(map(str, names[:most]))
    return text if len(names) <= most else f"{text} and {len(names) - most:,} {what}"


def describe_new(reasons: Sequence[str], stood: Sequence[str] = ()) -> str:
    """The reasons that are new, and how many were there before."""
    text = "; ".join(reason for reason in reasons if reason not in stood)
    return f"{text} (and what was wrong before: {format_count(len(stood), 'reason')})" if stood else text


def _escape_character(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
