"""What a person has decided to live with: comments beside a line, and entries of the settings.

    # graphbus: ignore[GB101] until 2027-01 the old importer goes in January
    [[tool.graphbus.ignore]]
    code = "GB101"
    files = "legacy/**"
    reason = "the old importer goes in January"
    until = "2027-01"

A comment counts for its own line and, where it stands alone, for the next line of code. A reason is needed; a date is
a month or a day, whose last moment still counts.
"""

from __future__ import annotations

import io
import re
import tokenize
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.findings.codes import CODES
from graphbus_core.findings.finding import Finding, Level

MARK = "graphbus: ignore"
_COMMENT = re.compile(r"graphbus:\s*ignore(?:\[(?P<codes>[^\]]*)\])?\s*(?:until\s+(?P<until>\S+))?\s*(?P<reason>.*)")
_DATE = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")


@dataclass(frozen=True)
class Ignore:
    """One decision. `lines` is empty where it counts for whole files; `at` is where it is written."""

    codes: tuple[str, ...]
    files: str
    lines: tuple[int, ...] = ()
    until: date | None = None
    reason: str = ""
    at: tuple[str, int] = ("", 1)
    subject: str = "*"

    def covers(self, finding: Finding) -> bool:
        """Whether it is about this finding, wherever one of its places is."""
        if finding.code not in self.codes or not fnmatchcase(finding.subject, self.subject):
            return False
        # A finding about two ends may be silenced at either: whoever owns the other file cannot be made to edit it.
        places = [(finding.file, finding.line), *((one.file, one.line) for one in finding.related)]
        return any(matches(file, self.files) and (not self.lines or line in self.lines) for file, line in places)

    def expired(self, today: date) -> bool:
        """Whether its date has passed."""
        return self.until is not None and today > self.until


def matches(file: str, pattern: str) -> bool:
    """A path against a glob: `legacy/**`, `*.py`, a folder, or a file."""
    plain = pattern.rstrip("/")
    # A folder's name means all below it, as in `.gitignore`; `fnmatch` alone would match the folder and nothing in
    # it.
    return fnmatchcase(file, pattern) or file == plain or file.startswith(f"{plain.removesuffix('/**')}/")


def last_day(text: str) -> date | None:
    """`2027-01` or `2027-01-15` -> the last day that counts; None where it is neither."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2]), found[3]
    try:
        # A month without a day lasts to its end. Read as its first day it would expire weeks before its author meant.
        return date(year, month, int(day) if day else monthrange(year, month)[1])
    except ValueError:  # the 31st of February, the 13th month
        return None


def comments(file: str, text: str) -> Iterator[Ignore | Finding]:
    """The ignores in a Python source, and a finding for each that cannot count."""
    if MARK not in text:  # nearly every file; tokens cost more than the whole rest
        return
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    # The scan reports a file that cannot be read (GB401); saying it again here would be a second finding of one
    # fault.
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return
    for number, token in enumerate(tokens):
        if token.type != tokenize.COMMENT or (found := _COMMENT.search(token.string)) is None:
            continue
        line = token.start[0]
        # Beside code it speaks for its own line. Only a comment that stands alone reaches down, or one would silence
        # two lines.
        alone = not token.line[: token.start[1]].strip()
        yield _read(file, line, found, (line, *_next_code(tokens, number)) if alone else (line,))


def _next_code(tokens: list[tokenize.TokenInfo], number: int) -> tuple[int, ...]:
    """The lines of the statement head that follows a comment which stands alone: decorators belong to their `def`."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}
    lines: list[int] = []
    decorator = False
    for token in tokens[number + 1 :]:
        if token.type in skipped:
            continue
        if token.type == tokenize.NEWLINE:
            # A decorator is not yet the statement: the finding stands at `def`, and people write the comment above
            # the decorators.
            if not decorator:
                break
            decorator = False
        elif not lines or not decorator:
            decorator = token.string == "@"
            lines.append(token.start[0])
            if not decorator:
                break
    return tuple(lines)


def _read(file: str, line: int, found: re.Match[str], lines: tuple[int, ...]) -> Ignore | Finding:
    codes = tuple(part.strip().upper() for part in (found["codes"] or "").split(",") if part.strip())
    until = last_day(found["until"]) if found["until"] else None
    # Punctuation alone is no reason, and `ignore[GB101] -` is what people write to get past the rule.
    reason = found["reason"].strip(" .:-—")
    wrong = ""
    if not codes:
        wrong = "names no code; write `graphbus: ignore[GB101] why`"
    elif unknown := [one for one in codes if one not in CODES]:
        wrong = f"names {unknown[0]}, which is not a finding"
    elif found["until"] and until is None:
        wrong = f"ends with {found['until']!r}; give a month or a day, as in 2027-01"
    elif not reason:
        wrong = "gives no reason"
    if wrong:
        message = f"This ignore {wrong}. It silences nothing."
        # A warning and no error: the finding that it fails to silence is reported anyway, and that one decides.
        return Finding("GB904", message, file, line, found[0].strip(), Level.WARNING)
    return Ignore(codes, file, lines, until, reason, (file, line))


def configured(entries: Iterable[Mapping[str, Any]], source: str = "pyproject.toml") -> tuple[Ignore, ...]:
    """The ignores of the settings. Raises ConfigError where one means nothing."""
    found = []
    for entry in entries:
        known = {"code", "codes", "files", "subject", "reason", "until"}
        # An unknown key is refused: a misspelt `untill` would otherwise make an ignore that never ends.
        if unknown := sorted(set(entry) - known):
            raise ConfigError(
                f"{source}: an entry of `ignore` has {unknown[0]!r}; it may have {', '.join(sorted(known))}."
            )
        codes = entry.get("codes", entry.get("code", ()))
        codes = tuple(one.upper() for one in ([codes] if isinstance(codes, str) else codes))
        if not codes or any(one not in CODES for one in codes):
            raise ConfigError(
                f"{source}: an entry of `ignore` names {codes or 'no code'}; `graphbus explain` lists them."
            )
        if not str(entry.get("reason", "")).strip():
            raise ConfigError(f"{source}: the ignore of {', '.join(codes)} gives no `reason`; say why it may stay.")
        until = last_day(str(entry["until"])) if "until" in entry else None
        if "until" in entry and until is None:
            raise ConfigError(f"{source}: `until` is {entry['until']!r}; give a month or a day, as in 2027-01.")
        found.append(
            Ignore(codes, entry.get("files", "*"), (), until, entry["reason"], (source, 1), entry.get("subject", "*"))
        )
    return tuple(found)
