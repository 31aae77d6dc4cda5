"""The baseline: findings that were there when somebody began to look. They do not fail a build; new ones do.

One JSON file, sorted, a finding a line, so that git shows and merges it well. It holds fingerprints with words beside
them for people; only the fingerprint counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.errors import ConfigError
from graphbus_core.findings.finding import Finding

FILE = "graphbus-baseline.json"
VERSION = 1
OWN = "GB9"  # what silences findings is itself never silenced


@dataclass(frozen=True)
class Baseline:
    """Fingerprint -> (code, file, subject) of each finding that is kept."""

    kept: Mapping[str, tuple[str, str, str]]
    file: str = FILE


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises ConfigError where it is not one."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        # Another version is refused, not guessed at: a fingerprint made otherwise would keep nothing and look like
        # new faults.
        if told["version"] != VERSION:
            raise ConfigError(f"{path} is a baseline of version {told['version']}; this edition reads {VERSION}.")
        kept = {one["fingerprint"]: (one["code"], one["file"], one["subject"]) for one in told["findings"]}
    except (ValueError, KeyError, TypeError) as e:
        raise ConfigError(f"{path} is not a baseline ({e}). Write it anew with `graphbus baseline`.") from e
    except OSError as e:
        raise ConfigError(f"{path} cannot be read: {e.strerror}. Write it anew with `graphbus baseline`.") from e
    return Baseline(kept, path.name)


def baseline_text(findings: Iterable[Finding]) -> str:
    """The file that keeps these findings."""
    kept = {
        one.fingerprint: {"fingerprint": one.fingerprint, "code": one.code, "file": one.file, "subject": one.subject}
        for one in findings
        if not one.code.startswith(OWN)
    }
    # By place and not by fingerprint: two branches that each add a finding then merge without touching the same line.
    rows = sorted(kept.values(), key=lambda row: (row["file"], row["code"], row["subject"]))
    # A finding a line, for the same reason: git merges lines.
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return (
        f'{{"version": {VERSION}, "findings": [\n{lines}\n]}}\n'
        if rows
        else f'{{"version": {VERSION}, "findings": []}}\n'
    )
