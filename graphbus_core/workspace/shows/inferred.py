"""A project without agents, as it is read: what was inferred, judged against comments, settings and baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.adopt import Inferred, infer
from graphbus_core.errors import ScanError
from graphbus_core.findings import Finding
from graphbus_core.workspace.shows.declared import as_set, checked, judged

if TYPE_CHECKING:
    from graphbus_core.findings.judged import Judged
    from graphbus_core.settings.effective import Settings

NO_AGENTS = "No agents found"


def judged_inferred(found: Inferred, settings: Settings, *, with_baseline: bool = True) -> Judged:
    """What `infer` found that counts."""
    sources = dict.fromkeys(one.file for one in found.findings)
    return as_set(
        found.findings,
        sources,
        lambda file: (found.root / file).read_text(encoding="utf-8", errors="replace"),
        settings,
        with_baseline,
    )


def judged_project(path: str, settings: Settings, *, with_baseline: bool = True) -> Judged:
    """What `validate` finds in a folder with agents, and what `infer` finds in any other. Raises UsageError."""
    try:
        found = checked(path, list(settings["include"]) or None, list(settings["exclude"]) or None)
    except ScanError as e:
        # By its words, since a scan has many errors, and only this one means "read it another way".
        if NO_AGENTS not in str(e):
            raise
        # Without links: `validate` asks for findings, and links are half of the time.
        return judged_inferred(infer(path, links=False, among=settings.among), settings, with_baseline=with_baseline)
    return judged(found, settings, with_baseline=with_baseline)


def standing(path: str, settings: Settings) -> dict[str, Finding]:
    """The findings that count now, by fingerprint."""
    return {one.fingerprint: one for one in judged_project(path, settings).counted}
