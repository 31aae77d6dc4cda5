"""Landing finished branches, as front ends ask for it: land, take back, and say how a landing came about."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphbus_core.commit.landing import land as landing
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import UsageError
from graphbus_core.sessions.landing_table import LandingTable
from graphbus_core.settings import load_settings
from graphbus_core.text import format_count

PREFIX = "land-"
TIMEOUT_S = 600.0  # of one run of the tests


def land_branches(
    folder: Path,
    branches: tuple[str, ...],
    *,
    onto: str | None = None,
    verify: str | None = "auto",
    dry_run: bool = False,
    timeout_s: float = TIMEOUT_S,
    ask: bool = False,
    report: Callable[[str], None] = lambda text: None,
    stop: threading.Event | None = None,
) -> tuple[list[dict[str, Any]], list[str]]:
    """What became of each branch, and notes. `ask`: what no candidate holds is laid before the owners of both sides,
    and lands once they agreed. Raises UsageError, Locked, LogDamaged."""
    request = landing.LandingRequest(branches, onto, verify, dry_run, timeout_s=timeout_s)
    landings, notes = landing.land(folder, request, report, find_contract_faults, stop)
    last = landings[-1]
    if ask and last.regions:
        again, table = _ask_owners(Repository(folder), last, request)
        notes += table
        if again is not None:
            rest = branches[len(landings) - 1 :]
            decided, more = landing.land(folder, replace(again, branches=rest), report, find_contract_faults, stop)
            landings, notes = [*landings[:-1], *decided], notes + more
    return [{**entry.to_dict(), "good": entry.is_good} for entry in landings], notes


def _ask_owners(
    repository: Repository, refused: landing.Landing, request: landing.LandingRequest
) -> tuple[landing.LandingRequest | None, list[str]]:
    """The request with what the owners decided; None while they have not, and what they can do."""
    ours, theirs = repository.resolve("HEAD"), repository.resolve(refused.branch)
    table = LandingTable.of(repository, repository.merge_bases(ours, theirs)[0], ours, theirs)
    if not table.is_open:
        table.open(refused.branch, repository.head_ref().removeprefix("refs/heads/"), refused.regions)
    decisions = table.read_decisions(refused.regions)
    if decisions is None:
        head = f"{refused.branch} is laid before the owners of both sides, at {table.folder}. Then land again."
        return None, [head, *table.describe_open()]
    texts = {(decision.path, decision.symbol): decision.text for decision in decisions}
    return replace(request, decisions=texts, decided=tuple(d.to_dict() for d in decisions)), []


def take_back(
    folder: Path,
    ident: str,
    *,
    verify: str | None = "auto",
    dry_run: bool = False,
    report: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Take a landing back, through the same gates. Raises UsageError where there is no such landing."""
    request = landing.LandingRequest((), None, verify, dry_run)
    lander = landing.Lander(Repository(folder), request, report, find_contract_faults)
    entry = lander.take_back(ident)
    return {**entry.to_dict(), "good": entry.is_good}


def explain_landing(folder: Path, ident: str) -> list[str]:
    """How a landing came about, line by line: by its id, or by the commit that it made. Raises UsageError."""
    records = landing.read_landings(Repository(folder))
    record = next((r for r in reversed(records) if ident == r["id"] or _is_commit(ident, r["commit"])), None)
    if record is None:
        raise UsageError(
            f"There is no landing {ident!r} in this repository; it knows {format_count(len(records), 'landing')}."
        )
    return list(_describe(record))


def _is_commit(ident: str, commit: str) -> bool:
    return len(ident) >= 7 and commit.startswith(ident)


def _describe(record: dict[str, Any]) -> Iterator[str]:
    at = datetime.fromtimestamp(record["at"], UTC)
    yield f"{record['id']}  {record['branch']} on {record['ref'].removeprefix('refs/heads/')}: {record['status']}"
    yield f"  {at:%Y-%m-%d}, {record['ours'][:12]} and {record['theirs'][:12]}, from {record['base'][:12]}"
    if record["commit"]:
        yield f"  commit {record['commit'][:12]}, candidate {record['chosen'] + 1} of {record['candidates']}"
    for gate in record["gates"]:
        yield f"  {gate['gate']}: {gate['end']}" + (f" ({gate['why']})" if gate.get("why") else "")
    for part in record.get("decided", ()):
        agreed = f"the offer {part['offer']} of {part['by']}, accepted by {', '.join(part['accepted_by'])}"
        yield f"  {part['file']}: {part['symbol']}: decided, {agreed}"
    if record["why"]:
        yield f"  why not: {record['why']}"
    for conflict in record["conflicts"]:
        yield f"  {conflict['file']}:{conflict['line']}: {conflict['symbol']}: {conflict['reason']}"


def find_contract_faults(folder: Path) -> Iterator[str]:
    """What `validate` or `infer` finds in a tree, as `path:line: text`."""
    from graphbus_core.services.inference.findings import judge_project

    for finding in judge_project(str(folder), load_settings(str(folder)), with_baseline=False).counted:
        text = " ".join(f"{finding.subject} {finding.message}".split())
        yield f"{finding.file}:{finding.line}: {text.replace(str(folder), '.')}"
