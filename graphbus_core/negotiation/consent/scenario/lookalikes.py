"""Names that people cannot tell apart: a vote must not be taken for somebody else's."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

# Letters of other scripts that look like a Latin one in most typefaces (Unicode TR39 lists them as confusable).
_CYRILLIC = (
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u043a\u043c\u0442\u043d\u0432",
    "aeopcyxijsdkmthb",
)
_GREEK = ("\u03b1\u03b5\u03bf\u03c1\u03c5\u03c7\u03b9\u03ba\u03bd\u03c4\u03b2\u03b7\u03bc\u03b6", "aeopuxikvtbnmz")
_ALIKE = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])


def compute_skeleton(name: str) -> str:
    """What is left of a name for the eye: one form of each letter, no case, nothing invisible, blanks as one."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Mn", "Cc"))
    return " ".join(
        seen.translate(_ALIKE).replace("\u0131", "i").replace("l", "i").replace("1", "i").replace("0", "o").split()
    )


def find_lookalikes(names: Iterable[str]) -> tuple[str, str] | None:
    """Two names that look alike, or None."""
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(compute_skeleton(name), name)
        if other != name:
            return other, name
    return None
