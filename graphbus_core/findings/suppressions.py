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
import json
import re
import tokenize
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.findings.codes import CODES
from graphbus_core.findings.finding import Finding, Level

# The baseline: findings that were there when somebody began to look. They do not fail a build; new ones do.
#
# One JSON file, sorted, a finding a line, so that git shows and merges it well. It holds fingerprints with words beside
# them for people; only the fingerprint counts.


FILE = "graphbus-baseline.json"
VERSION = 1
UNREADABLE = "GB110"
OWN = "GB9"  # what silences findings is itself never silenced


@dataclass(frozen=True)
class Baseline:
    """Fingerprint -> (code, file, subject) of each finding that is kept."""

    kept: Mapping[str, tuple[str, str, str]]
    file: str = FILE

    def leave_out(self, codes: frozenset[str]) -> Baseline:
        """The same without the findings of some codes."""
        return Baseline({key: entry for key, entry in self.kept.items() if entry[0] not in codes}, self.file)


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises ConfigError where it is not one."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        # Another version is refused, not guessed at: a fingerprint made otherwise would keep nothing and look like
        # new faults.
        if document["version"] != VERSION:
            raise ConfigError(f"{path} is a baseline of version {document['version']}; this edition reads {VERSION}.")
        entries = {row["fingerprint"]: (row["code"], row["file"], row["subject"]) for row in document["findings"]}
    except (ValueError, KeyError, TypeError) as e:
        raise ConfigError(f"{path} is not a baseline ({e}). Write it anew with `graphbus baseline`.") from e
    except OSError as e:
        raise ConfigError(f"{path} cannot be read: {e.strerror}. Write it anew with `graphbus baseline`.") from e
    return Baseline(entries, path.name)


def render_baseline(findings: Iterable[Finding]) -> str:
    """The file that keeps these findings."""
    entries = {
        finding.fingerprint: {
            "fingerprint": finding.fingerprint,
            "code": finding.code,
            "file": finding.file,
            "subject": finding.subject,
        }
        for finding in findings
        if not finding.code.startswith(OWN)
    }
    # By place and not by fingerprint: two branches that each add a finding then merge without touching the same line.
    rows = sorted(entries.values(), key=lambda row: (row["file"], row["code"], row["subject"]))
    # A finding a line, for the same reason: git merges lines.
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return (
        f'{{"version": {VERSION}, "findings": [\n{lines}\n]}}\n'
        if rows
        else f'{{"version": {VERSION}, "findings": []}}\n'
    )


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

    def matches(self, finding: Finding) -> bool:
        """Whether it is about this finding, wherever one of its places is."""
        if finding.code not in self.codes or not fnmatchcase(finding.subject, self.subject):
            return False
        # A finding about two ends may be silenced at either: whoever owns the other file cannot be made to edit it.
        places = [(finding.file, finding.line), *((related.file, related.line) for related in finding.related)]
        return any(matches_path(file, self.files) and (not self.lines or line in self.lines) for file, line in places)

    def is_expired(self, today: date) -> bool:
        """Whether its date has passed."""
        return self.until is not None and today > self.until


def matches_path(file: str, pattern: str) -> bool:
    """A path against a glob: `legacy/**`, `*.py`, a folder, or a file."""
    plain = pattern.rstrip("/")
    # A folder's name means all below it, as in `.gitignore`; `fnmatch` alone would match the folder and nothing in
    # it.
    return fnmatchcase(file, pattern) or file == plain or file.startswith(f"{plain.removesuffix('/**')}/")


def parse_last_day(text: str) -> date | None:
    """`2027-01` or `2027-01-15` -> the last day that counts; None where it is neither."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[2]), match[3]
    try:
        # A month without a day lasts to its end. Read as its first day it would expire weeks before its author meant.
        return date(year, month, int(day) if day else monthrange(year, month)[1])
    except ValueError:  # the 31st of February, the 13th month
        return None


def find_ignore_comments(file: str, text: str) -> Iterator[Ignore | Finding]:
    """The ignores in a Python source, and a finding for each that cannot count."""
    if MARK not in text:  # nearly every file; tokens cost more than the whole rest
        return
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    # The scan refuses a file that cannot be read; saying it again here would be a second finding of one
    # fault.
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return
    for number, token in enumerate(tokens):
        if token.type != tokenize.COMMENT or (match := _COMMENT.search(token.string)) is None:
            continue
        line = token.start[0]
        # Beside code it speaks for its own line. Only a comment that stands alone reaches down, or one would silence
        # two lines.
        alone = not token.line[: token.start[1]].strip()
        yield _parse_comment(file, line, match, (line, *_find_next_code(tokens, number)) if alone else (line,))


def _find_next_code(tokens: list[tokenize.TokenInfo], number: int) -> tuple[int, ...]:
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


def _parse_comment(file: str, line: int, match: re.Match[str], lines: tuple[int, ...]) -> Ignore | Finding:
    codes = tuple(part.strip().upper() for part in (match["codes"] or "").split(",") if part.strip())
    until = parse_last_day(match["until"]) if match["until"] else None
    # Punctuation alone is no reason, and `ignore[GB101] -` is what people write to get past the rule.
    reason = match["reason"].strip(" .:-—")
    wrong = ""
    if not codes:
        wrong = "names no code; write `graphbus: ignore[GB101] why`"
    elif unknown := [code for code in codes if code not in CODES]:
        wrong = f"names {unknown[0]}, which is not a finding"
    elif match["until"] and until is None:
        wrong = f"ends with {match['until']!r}; give a month or a day, as in 2027-01"
    elif not reason:
        wrong = "gives no reason"
    if wrong:
        message = f"This ignore {wrong}. It silences nothing."
        # A warning and no error: the finding that it fails to silence is reported anyway, and that one decides.
        return Finding("GB904", message, file, line, match[0].strip())
    return Ignore(codes, file, lines, until, reason, (file, line))


def read_configured_ignores(entries: Iterable[Mapping[str, Any]], source: str = "pyproject.toml") -> tuple[Ignore, ...]:
    """The ignores of the settings. Raises ConfigError where one means nothing."""
    ignores = []
    for entry in entries:
        known_keys = {"code", "codes", "files", "subject", "reason", "until"}
        # An unknown key is refused: a misspelt `untill` would otherwise make an ignore that never ends.
        if unknown := sorted(set(entry) - known_keys):
            raise ConfigError(
                f"{source}: an entry of `ignore` has {unknown[0]!r}; it may have {', '.join(sorted(known_keys))}."
            )
        codes = entry.get("codes", entry.get("code", ()))
        codes = tuple(code.upper() for code in ([codes] if isinstance(codes, str) else codes))
        if not codes or any(code not in CODES for code in codes):
            raise ConfigError(
                f"{source}: an entry of `ignore` names {codes or 'no code'}; `graphbus explain` lists them."
            )
        if not str(entry.get("reason", "")).strip():
            raise ConfigError(f"{source}: the ignore of {', '.join(codes)} gives no `reason`; say why it may stay.")
        until = parse_last_day(str(entry["until"])) if "until" in entry else None
        if "until" in entry and until is None:
            raise ConfigError(f"{source}: `until` is {entry['until']!r}; give a month or a day, as in 2027-01.")
        ignores.append(
            Ignore(codes, entry.get("files", "*"), (), until, entry["reason"], (source, 1), entry.get("subject", "*"))
        )
    return tuple(ignores)


# Findings, ignores and a baseline -> what counts, what is silenced, and what silences nothing any more.


@dataclass(frozen=True)
class Report:
    """`counted` is what the command reports; `ignored` and `kept` (in the baseline) are told beside it."""

    counted: tuple[Finding, ...]
    ignored: tuple[tuple[Finding, Ignore], ...] = ()
    kept: tuple[Finding, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether anything that counts is an error."""
        return any(finding.level is Level.ERROR for finding in self.counted)


def judge(
    findings: Iterable[Finding],
    *,
    today: date,
    sources: Iterable[str] = (),
    read: Callable[[str], str] = lambda file: "",
    ignores: Iterable[Ignore] = (),
    baseline: Baseline | None = None,
) -> Report:
    """What counts of these findings, on this day.

    `sources` are the files whose comments are looked at, read by `read` (a file's text). Every finding is told once. An
    expired ignore silences nothing and is itself a finding; so is one, or a baseline entry, that nothing needs.
    """
    # Two roads may find the same fault. The first is kept, in the order of finding.
    distinct = list({item.fingerprint: item for item in findings}.values())
    all_ignores: list[Ignore] = list(ignores)
    own: list[Finding] = []
    for file in sources:
        for item in find_ignore_comments(file, read(file)):
            all_ignores.append(item) if isinstance(item, Ignore) else own.append(item)
    counted, ignored, in_baseline = [], [], []
    used: set[int] = set()
    for finding in distinct:
        over = [(number, item) for number, item in enumerate(all_ignores) if item.matches(finding)]
        # Every ignore that covers it counts as used, also the second: else one of two equal comments would be called
        # useless.
        used |= {number for number, _ in over}
        alive = [item for _, item in over if not item.is_expired(today)]
        if alive:
            # An ignore goes before the baseline: it has a reason, which the reader is shown.
            ignored.append((finding, alive[0]))
        elif baseline is not None and finding.fingerprint in baseline.kept:
            in_baseline.append(finding)
        else:
            counted.append(finding)
    own += [
        _report_unneeded(item, number in used, today)
        for number, item in enumerate(all_ignores)
        if _is_reportable(item, number in used, today)
    ]
    if baseline is not None:
        # Of all findings and not of those that count: an ignored one is still there, so its entry is still needed.
        fingerprints = {item.fingerprint for item in distinct}
        own += [_report_gone(baseline, key) for key in baseline.kept if key not in fingerprints]
    # Sorted by place: the order in which rooms report is not news, and diffs of two runs stay readable.
    # What could not be read goes first: all that follows is said of the rest.
    order = sorted(
        [*counted, *own], key=lambda item: (item.code != UNREADABLE, item.file, item.line, item.code, item.subject)
    )
    return Report(tuple(order), tuple(ignored), tuple(in_baseline))


def _is_reportable(ignore: Ignore, used: bool, today: date) -> bool:
    return not used or ignore.is_expired(today)


def _report_unneeded(ignore: Ignore, used: bool, today: date) -> Finding:
    file, line = ignore.at
    codes = ", ".join(ignore.codes)
    subject = f"{codes} {ignore.files} {ignore.reason}"
    if used and ignore.is_expired(today):
        text = f"The ignore of {codes} ended on {ignore.until}. What it hid counts again."
        return Finding("GB902", text, file, line, subject)
    return Finding("GB901", f"Nothing here is a {codes} any more; this ignore can go.", file, line, subject)


def _report_gone(baseline: Baseline, key: str) -> Finding:
    code, file, subject = baseline.kept[key]
    text = f"{code} in {file or 'the project'} ({subject}) is gone; `graphbus baseline` takes it out."
    return Finding("GB903", text, baseline.file, 1, f"{code} {file} {subject}")
