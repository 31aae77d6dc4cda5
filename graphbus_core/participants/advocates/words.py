"""What a rule advocate says about a package, and how it is understood: two sentences that people can read as well.

    I can live with this, also with one change to D: D1 or D2; E: E5. It would serve me well with one change to A: A3.

The first sentence says what it could consent to, the second what would serve it well. Both hold for the package that
is on the table, and for every package that differs from it in one issue. No number, no order of preference.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

Package = tuple[int, ...]
ALONE = "What I would decide alone: "
ANY = "Any option will do for me in "
_LIVE = (
    re.compile(r"I can live with this, also with one change to (?P<changes>.+?)\.(?=\s|$)", re.S),
    re.compile(r"I can live with this, but with no single change\."),
    re.compile(r"I cannot live with this, but could with one change to (?P<changes>.+?)\.(?=\s|$)", re.S),
    re.compile(r"I cannot live with this, nor with any single change\."),
)
_SERVES = (
    re.compile(r"It serves me well, also with one change to (?P<changes>.+?)\.(?=\s|$)", re.S),
    re.compile(r"It serves me well, but with no single change\."),
    re.compile(r"It would serve me well with one change to (?P<changes>.+?)\.(?=\s|$)", re.S),
    re.compile(r"It does not serve me well, nor would any single change\."),
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What was said of a package and of those one change away: yes to the package, yes to these changes."""

    itself: bool
    changes: frozenset[tuple[int, int]]  # (issue, option)


@dataclass(frozen=True)
class Vocabulary:
    """The issues and their options, as everybody knows them."""

    issues: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]

    @classmethod
    def of(cls, issues: Mapping[str, Mapping[str, object]]) -> Vocabulary:
        """From a question's `issues`."""
        options = tuple(tuple(map(str, _list(i["options"]))) for i in issues.values())
        return cls(tuple(issues), options, tuple(all(_is_number(o) for o in row) for row in options))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many options each issue has."""
        return tuple(map(len, self.options))

    def package(self, terms: Mapping[str, str]) -> Package | None:
        """The package that the terms name, or None."""
        found = []
        for name, options in zip(self.issues, self.options, strict=True):
            option = terms.get(name)
            if option not in options:
                return None
            found.append(options.index(option))
        return tuple(found)

    def terms(self, package: Package) -> dict[str, str]:
        """The inverse of `package`."""
        return {name: row[o] for name, row, o in zip(self.issues, self.options, package, strict=True)}

    # ------------------------------------------------------------------ saying

    def live(self, verdict: Opinion) -> str:
        """The first sentence."""
        changes = self.changes(verdict.changes)
        if verdict.itself:
            return (
                f"I can live with this, also with one change to {changes}."
                if changes
                else "I can live with this, but with no single change."
            )
        return (
            f"I cannot live with this, but could with one change to {changes}."
            if changes
            else "I cannot live with this, nor with any single change."
        )

    def serves(self, verdict: Opinion) -> str:
        """The second sentence."""
        changes = self.changes(verdict.changes)
        if verdict.itself:
            return (
                f"It serves me well, also with one change to {changes}."
                if changes
                else "It serves me well, but with no single change."
            )
        return (
            f"It would serve me well with one change to {changes}."
            if changes
            else "It does not serve me well, nor would any single change."
        )

    def alone(self, package: Package, cares: Collection[int] | None = None) -> str:
        """What it would decide if it were alone. `cares`: the issues that it minds (default all)."""
        minded = range(len(self.issues)) if cares is None else sorted(cares)
        left = [name for i, name in enumerate(self.issues) if i not in minded]
        wishes = "; ".join(f"{self.issues[i]}: {self.options[i][package[i]]}" for i in minded)
        return " ".join([f"{ALONE}{wishes}."] * bool(wishes) + [f"{ANY}{'; '.join(left)}."] * bool(left))

    def changes(self, changes: frozenset[tuple[int, int]]) -> str:
        """`A: A1 or A3; C: C2`, in the issues' order; runs of numbers as `3 to 9`."""
        parts = []
        for i, name in enumerate(self.issues):
            chosen = sorted(o for issue, o in changes if issue == i)
            if chosen:
                parts.append(f"{name}: {' or '.join(self._runs(i, chosen))}")
        return "; ".join(parts)

    def _runs(self, issue: int, chosen: Sequence[int]) -> list[str]:
        row = self.options[issue]
        if not self.numeric[issue]:
            return [row[o] for o in chosen]
        runs: list[list[int]] = []
        for o in chosen:
            if runs and o == runs[-1][1] + 1:
                runs[-1][1] = o
            else:
                runs.append([o, o])
        out = []
        for a, b in runs:
            out.extend([f"{row[a]} to {row[b]}"] if b - a >= 2 else [row[o] for o in range(a, b + 1)])
        return out

    # ------------------------------------------------------------------ hearing

    def heard(self, text: str) -> tuple[Opinion | None, Opinion | None]:
        """What a text says: what its speaker can live with, what would serve; None where it does not say."""
        return _heard(self, text)

    def heard_alone(self, text: str) -> Package | None:
        """What its speaker would decide alone, if it says so."""
        start = text.find(ALONE)
        if start < 0:
            return None
        named = self._changes(text[start + len(ALONE) :])
        found = {**self._any(text), **dict(sorted(named, reverse=True))}
        return tuple(found[i] for i in range(len(self.issues))) if len(found) == len(self.issues) else None

    def _any(self, text: str) -> dict[int, int]:
        """The issues that the speaker does not mind, each with its first option: one is as good as another."""
        start = text.find(ANY)
        at = start + len(ANY)
        found: dict[int, int] = {}
        while start >= 0 and (issue := self._at(text, at, self.issues)) is not None:
            found[issue] = 0
            at += len(self.issues[issue])
            if not text.startswith("; ", at):
                break
            at += 2
        return found

    def _verdict(self, text: str, forms: Sequence[re.Pattern[str]]) -> Opinion | None:
        for n, form in enumerate(forms):
            found = form.search(text)
            if found:
                said = found.groupdict().get("changes")
                return Opinion(n < 2, self._changes(said) if said else frozenset())
        return None

    def _changes(self, text: str) -> frozenset[tuple[int, int]]:
        """The options named after each issue's name. Names are matched whole, the longest first."""
        out: set[tuple[int, int]] = set()
        at = 0
        while at < len(text):
            issue = self._at(text, at, [f"{n}: " for n in self.issues])
            if issue is None:
                break
            at += len(self.issues[issue]) + 2
            while True:
                option = self._at(text, at, self.options[issue])
                if option is None:
                    return frozenset(out)
                at += len(self.options[issue][option])
                last = option
                if text.startswith(" to ", at):
                    end = self._at(text, at + 4, self.options[issue])
                    if end is not None:
                        at += 4 + len(self.options[issue][end])
                        last = end
                out.update((issue, o) for o in range(option, last + 1))
                if not text.startswith(" or ", at):
                    break
                at += 4
            if not text.startswith("; ", at):
                break
            at += 2
        return frozenset(out)

    @staticmethod
    def _at(text: str, at: int, names: Sequence[str]) -> int | None:
        fitting = [n for n, name in enumerate(names) if text.startswith(name, at)]
        return max(fitting, key=lambda n: len(names[n])) if fitting else None


@lru_cache(maxsize=4096)
def _heard(words: Vocabulary, text: str) -> tuple[Opinion | None, Opinion | None]:
    return words._verdict(text, _LIVE), words._verdict(text, _SERVES)


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
