"""`contracts.toml` as it stands and as it would be: what was inferred beside what its owner wrote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.analysis.scan import scan
from graphbus_core.analysis.scan.contracts_file import parse_contracts, read_contracts
from graphbus_core.analysis.scan.side_declarations import SideDeclarations, UnknownEntries
from graphbus_core.errors import ScanError
from graphbus_core.findings import Finding
from graphbus_core.inference import InferredProject, infer
from graphbus_core.services.validation import check_project, judge_checked, judge_findings

if TYPE_CHECKING:
    from graphbus_core.findings.suppressions import Report
    from graphbus_core.inference import InferredProject
    from graphbus_core.settings.effective import Settings


@dataclass(frozen=True)
class ProposedFile:
    """`new` begins with `old`, byte for byte. `entries`: how many are added."""

    path: Path
    old: str
    new: str
    entries: int

    def write(self) -> None:
        """Write it, whole or not at all."""
        from graphbus_core.storage.atomic_files import write_atomic

        if self.new != self.old:
            write_atomic(self.path, self.new.encode(), durable=True)


def propose_contracts_file(inferred: InferredProject, settings: Settings) -> ProposedFile:
    """The contracts file of a project with what was inferred. Raises ConfigError: the one there cannot be read."""
    path = (settings.root if settings.file else inferred.root) / settings["contracts_file"]
    existing = read_contracts(path) if path.is_file() else None
    old = path.read_bytes().decode() if existing else ""
    known_names = set(existing.entries) if existing else set()
    try:
        _check_readable(path, old, _render_missing_entries(inferred, known_names), settings)
    except UnknownEntries as e:  # what the scan has no name for (a class in a function, a method under a condition)
        known_names |= e.names
    except ScanError:  # a file that does not parse: the rest cannot be tried, and may well be right
        pass
    more = _render_missing_entries(inferred, known_names)
    return ProposedFile(path, old, _append_entries(old, more), more.count('\n["') + more.startswith('["'))


def _render_missing_entries(inferred: InferredProject, known_names: set[str]) -> str:
    from graphbus_core.inference.writing import render_contracts_file

    return render_contracts_file(inferred, known_names)


def _check_readable(path: Path, old: str, more: str, settings: Settings) -> None:
    """Read the project with the file as it would be. Raises ScanError for what it could not be read with."""
    if more:
        contracts = parse_contracts(path, _append_entries(old, more).encode())
        scan(str(path.parent), beside=SideDeclarations(settings["components"], contracts))


def _append_entries(old: str, more: str) -> str:
    from graphbus_core.inference.writing import HEAD

    gap = HEAD + "\n" if not old else "\n" if old.endswith("\n") else "\n\n"
    return old + gap + more if more else old


# A project without agents, as it is read: what was inferred, judged against comments, settings and baseline.


NO_AGENTS = "No agents found"


def judge_inferred(inferred: InferredProject, settings: Settings, *, with_baseline: bool = True) -> Report:
    """What `infer` found that counts."""
    sources = dict.fromkeys(finding.file for finding in inferred.findings)
    return judge_findings(
        inferred.findings,
        sources,
        lambda file: (inferred.root / file).read_text(encoding="utf-8", errors="replace"),
        settings,
        with_baseline,
        unasked=frozenset() if inferred.has_checked_types else frozenset({"GB506"}),
    )


def judge_project(path: str, settings: Settings, *, with_baseline: bool = True) -> Report:
    """What `validate` finds in a folder with agents, and what `infer` finds in any other. Raises UsageError."""
    try:
        checked_project = check_project(path, list(settings["include"]) or None, list(settings["exclude"]) or None)
    except ScanError as e:
        # By its words, since a scan has many errors, and only this one means "read it another way".
        if NO_AGENTS not in str(e):
            raise
        # Without links: `validate` asks for findings, and links are half of the time.
        return judge_inferred(
            infer(path, links=False, among=settings.file_globs, types=True), settings, with_baseline=with_baseline
        )
    return judge_checked(checked_project, settings, with_baseline=with_baseline)


def collect_findings(path: str, settings: Settings) -> dict[str, Finding]:
    """The findings that count now, by fingerprint."""
    return {finding.fingerprint: finding for finding in judge_project(path, settings).counted}
