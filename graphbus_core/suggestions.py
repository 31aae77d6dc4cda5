"""The nearest known names: what every "did you mean" is made of. It knows no name of its own."""

from __future__ import annotations

from collections.abc import Iterable


def suggest_names(name: str, candidates: Iterable[str], most: int = 1, *, sure: bool = False) -> list[str]:
    """Up to `most` of the known names that are spelled like one that is not known, nearest first; empty where none is.

    `sure`: nearer ones only. For names that are acted on without a second look (a command, a model's next answer), and
    for long lists, where something is always a little alike. Else half of the letters suffice: a person sees at once
    whether it is what they meant, and a hint that is missing costs them more than one that is wrong.
    """
    from difflib import get_close_matches  # only where something is wrong: no command starts slower for it

    return get_close_matches(name, list(candidates), most, 0.6 if sure else 0.5)
