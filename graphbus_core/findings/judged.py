"""Findings, ignores and a baseline -> what counts, what is silenced, and what silences nothing any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from graphbus_core.findings.baseline import Baseline
from graphbus_core.findings.finding import Finding, Level
from graphbus_core.findings.ignores import Ignore, comments


@dataclass(frozen=True)
class Judged:
    """`counted` is what the command reports; `ignored` and `kept` (in the baseline) are told beside it."""

    counted: tuple[Finding, ...]
    ignored: tuple[tuple[Finding, Ignore], ...] = ()
    kept: tuple[Finding, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether anything that counts is an error."""
        return any(one.level is Level.ERROR for one in self.counted)


def judge(
    findings: Iterable[Finding],
    *,
    today: date,
    sources: Iterable[str] = (),
    read: Callable[[str], str] = lambda file: "",
    ignores: Iterable[Ignore] = (),
    baseline: Baseline | None = None,
) -> Judged:
    """What counts of these findings, on this day.

    `sources` are the files whose comments are looked at, read by `read` (a file's text). Every finding is told once. An
    expired ignore silences nothing and is itself a finding; so is one, or a baseline entry, that nothing needs.
    """
    # Two roads may find the same fault. The first is kept, in the order of finding.
    found = list({one.fingerprint: one for one in findings}.values())
    written: list[Ignore] = list(ignores)
    own: list[Finding] = []
    for file in sources:
        for one in comments(file, read(file)):
            written.append(one) if isinstance(one, Ignore) else own.append(one)
    counted, ignored, kept = [], [], []
    used: set[int] = set()
    for finding in found:
        over = [(number, one) for number, one in enumerate(written) if one.covers(finding)]
        # Every ignore that covers it counts as used, also the second: else one of two equal comments would be called
        # useless.
        used |= {number for number, _ in over}
        alive = [one for _, one in over if not one.expired(today)]
        if alive:
            # An ignore goes before the baseline: it has a reason, which the reader is shown.
            ignored.append((finding, alive[0]))
        elif baseline is not None and finding.fingerprint in baseline.kept:
            kept.append(finding)
        else:
            counted.append(finding)
    own += [
        _unneeded(one, number in used, today)
        for number, one in enumerate(written)
        if _speaks(one, number in used, today)
    ]
    if baseline is not None:
        # Of all findings and not of those that count: an ignored one is still there, so its entry is still needed.
        there = {one.fingerprint for one in found}
        own += [_gone(baseline, key) for key in baseline.kept if key not in there]
    # Sorted by place: the order in which rooms report is not news, and diffs of two runs stay readable.
    order = sorted([*counted, *own], key=lambda one: (one.file, one.line, one.code, one.subject))
    return Judged(tuple(order), tuple(ignored), tuple(kept))


def _speaks(ignore: Ignore, used: bool, today: date) -> bool:
    return not used or ignore.expired(today)


def _unneeded(ignore: Ignore, used: bool, today: date) -> Finding:
    file, line = ignore.at
    codes = ", ".join(ignore.codes)
    subject = f"{codes} {ignore.files} {ignore.reason}"
    if used and ignore.expired(today):
        text = f"The ignore of {codes} ended on {ignore.until}. What it hid counts again."
        return Finding("GB902", text, file, line, subject)
    return Finding(
        "GB901", f"Nothing here is a {codes} any more; this ignore can go.", file, line, subject, Level.WARNING
    )


def _gone(baseline: Baseline, key: str) -> Finding:
    code, file, subject = baseline.kept[key]
    text = f"{code} in {file or 'the project'} ({subject}) is gone; `graphbus baseline` takes it out."
    return Finding("GB903", text, baseline.file, 1, f"{code} {file} {subject}", Level.WARNING)
