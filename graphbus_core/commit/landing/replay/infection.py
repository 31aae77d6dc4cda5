"""Whether what the other side changed came to something else on some input, below code that did the same. Pure.

A changed line that ran shows nothing where it gave what the old line gives: a list of one entry is the same in either
order. Only an input on which the change itself can be told from what was there says whether the new code minds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Yielded = Sequence[Any]  # of each function below that ended: file, name, what it gave and how it left its object
Scope = tuple[str, str]
NOTHING = ["v", None]


def shows_change(pairs: Sequence[tuple[Yielded, Yielded]], is_changed: Callable[[Scope], bool | None]) -> bool:
    """Whether functions gave something else on one tree than on the other, for one of some inputs; or what they gave
    cannot be seen. `is_changed`: whether the text of a function is another; None where one tree has no such function.
    """
    is_met = False
    for both in pairs:
        before, now = (
            [(given, changed) for path, name, given in yielded if (changed := is_changed((path, name))) is not None]
            for yielded in both
        )
        if before != now or any(changed and not _can_tell(given) for given, changed in now):
            return True
        is_met = is_met or any(changed for _, changed in now)
    return not is_met


def _can_tell(given: Any) -> bool:
    """Whether all that a function gave can be seen. Who gives nothing does something that is not seen here."""
    return given[0] != NOTHING and not _holds_other(given)


def _holds_other(told: Any) -> bool:
    if isinstance(told, dict):
        return any(map(_holds_other, told.values()))
    return isinstance(told, list) and (told[:1] == ["other"] or any(map(_holds_other, told)))
