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
    def from_issues(cls, issues: Mapping[str, Mapping[str, object]]) -> Vocabulary:
        """From a question's `issues`."""
        options = tuple(tuple(map(str, _make_list(i["options"]))) for i in issues.values())
        return cls(tuple(issues), options, tuple(all(_is_number(o) for o in row) for row in options))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many options each issue has."""
        return tuple(map(len, self.options))

    def find_package(self, terms: Mapping[str, str]) -> Package | None:
        """The package that the terms name, or None."""
        indices = []
        for name, options in zip(self.issues, self.options, strict=True):
            option = terms.get(name)
            if option not in options:
                return None
            indices.append(options.index(option))
        return tuple(indices)

    def build_terms(self, package: Package) -> dict[str, str]:
        """The inverse of `package`."""
        return {name: row[o] for name, row, o in zip(self.issues, self.options, package, strict=True)}

    # ------------------------------------------------------------------ saying

    def render_acceptable(self, verdict: Opinion) -> str:
        """The first sentence."""
        changes = self.render_changes(verdict.changes)
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

    def render_preferred(self, verdict: Opinion) -> str:
        """The second sentence."""
        changes = self.render_changes(verdict.changes)
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

    def render_ideal(self, package: Package, cares: Collection[int] | None = None) -> str:
        """What it would decide if it were alone. `cares`: the issues that it minds (default all)."""
        minded = range(len(self.issues)) if cares is None else sorted(cares)
        indifferent = [name for i, name in enumerate(self.issues) if i not in minded]
        wishes = "; ".join(f"{self.issues[i]}: {self.options[i][package[i]]}" for i in minded)
        return " ".join([f"{ALONE}{wishes}."] * bool(wishes) + [f"{ANY}{'; '.join(indifferent)}."] * bool(indifferent))

    def render_changes(self, changes: frozenset[tuple[int, int]]) -> str:
        """`A: A1 or A3; C: C2`, in the issues' order; runs of numbers as `3 to 9`."""
        parts = []
        for i, name in enumerate(self.issues):
            chosen = sorted(o for issue, o in changes if issue == i)
            if chosen:
                parts.append(f"{name}: {' or '.join(self._merge_runs(i, chosen))}")
        return "; ".join(parts)

    def _merge_runs(self, issue: int, chosen: Sequence[int]) -> list[str]:
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

    def parse_opinions(self, text: str) -> tuple[Opinion | None, Opinion | None]:
        """What a text says: what its speaker can live with, what would serve; None where it does not say."""
        return _parse_both(self, text)

    def parse_ideal(self, text: str) -> Package | None:
        """What its speaker would decide alone, if it says so."""
        start = text.find(ALONE)
        if start < 0:
            return None
        options = self._parse_changes(text[start + len(ALONE) :])
        chosen = {**self._parse_indifferent(text), **dict(sorted(options, reverse=True))}
        return tuple(chosen[i] for i in range(len(self.issues))) if len(chosen) == len(self.issues) else None

    def _parse_indifferent(self, text: str) -> dict[int, int]:
        """The issues that the speaker does not mind, each with its first option: one is as good as another."""
        start = text.find(ANY)
        offset = start + len(ANY)
        chosen: dict[int, int] = {}
        while start >= 0 and (issue := self._match_name(text, offset, self.issues)) is not None:
            chosen[issue] = 0
            offset += len(self.issues[issue])
            if not text.startswith("; ", offset):
                break
            offset += 2
        return chosen

    def _parse_opinion(self, text: str, forms: Sequence[re.Pattern[str]]) -> Opinion | None:
        for n, form in enumerate(forms):
            match = form.search(text)
            if match:
                changes = match.groupdict().get("changes")
                return Opinion(n < 2, self._parse_changes(changes) if changes else frozenset())
        return None

    def _parse_changes(self, text: str) -> frozenset[tuple[int, int]]:
        """The options named after each issue's name. Names are matched whole, the longest first."""
        changes: set[tuple[int, int]] = set()
        offset = 0
        while offset < len(text):
            issue = self._match_name(text, offset, [f"{n}: " for n in self.issues])
            if issue is None:
                break
            offset += len(self.issues[issue]) + 2
            while True:
                option = self._match_name(text, offset, self.options[issue])
                if option is None:
                    return frozenset(changes)
                offset += len(self.options[issue][option])
                last = option
                if text.startswith(" to ", offset):
                    end = self._match_name(text, offset + 4, self.options[issue])
                    if end is not None:
                        offset += 4 + len(self.options[issue][end])
                        last = end
                changes.update((issue, o) for o in range(option, last + 1))
                if not text.startswith(" or ", offset):
                    break
                offset += 4
            if not text.startswith("; ", offset):
                break
            offset += 2
        return frozenset(changes)

    @staticmethod
    def _match_name(text: str, offset: int, names: Sequence[str]) -> int | None:
        fitting = [n for n, name in enumerate(names) if text.startswith(name, offset)]
        return max(fitting, key=lambda n: len(names[n])) if fitting else None


@lru_cache(maxsize=4096)
def _parse_both(words: Vocabulary, text: str) -> tuple[Opinion | None, Opinion | None]:
    return words._parse_opinion(text, _LIVE), words._parse_opinion(text, _SERVES)


def _make_list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
