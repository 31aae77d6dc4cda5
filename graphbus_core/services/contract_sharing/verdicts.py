"""What the CI of one repository found, for the CI of the other: one small file a branch, carried by git.

A change of code that no declaration tells of is seen by the tests of its own side alone. `verify --publish BRANCH` puts
what they showed under `refs/graphbus/verdicts/` of the own repository; the other side's `verify` fetches it with the
branches, and holds each payload against its own code. A branch that is gone takes its verdict with it.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.contracts import NOTHING
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_sharing.evidence import RECORDS, Row, read_records
from graphbus_core.services.contract_sharing.pins import Pin
from graphbus_core.services.contract_sharing.repositories import FETCH_S, MAX_VERDICT_BYTES, VERDICTS, read_peer
from graphbus_core.sessions.contract_file import SIDES
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.git import run_git
from graphbus_core.text import shorten

FORMAT = 1
MAX_ROWS, MAX_PAIRS = 20, 100
MAX_PAYLOAD_CHARS = 20_000  # of one that is recorded, and of a text
MAX_PART_CHARS = MAX_VERDICT_BYTES // 4  # of all that is recorded, of all rows, and of all that was sent before and now
_STATES = ("breaks", "unknown", "note")


@dataclass(frozen=True)
class Verdict:
    """What a branch of the other repository last said of itself. `rows` hold no "holds"."""

    branch: str
    commit: str
    label: str  # what it was held to, as orders@2
    rows: tuple[Row, ...]
    recorded: tuple[Any, ...] = ()  # what the producer's tests send, one payload a test
    is_main: bool = False  # of the commit that counts there
    pairs: tuple[tuple[Any, Any], ...] | None = None  # what the same tests sent before, and now, if that is known


def publish_verdict(
    folder: Path, branch: str, pin: Pin, rows: Sequence[Row], pairs: Sequence[tuple[Any, Any]] | None = None
) -> None:
    """Push what was found of this commit to the repository that it came from. `pairs`: what the same tests sent before
    the change, and now. Raises UsageError where git cannot."""
    if not branch or not branch.isprintable():
        raise UsageError("--publish is the branch that is verified, as --publish main.")
    told = [
        row.to_dict() | {"about": row.branch, "asked": row.is_asked}
        for row in rows
        if row.state != "note" or row.payload is not NOTHING
    ]
    told = [row for row in told if row["state"] in _STATES]
    document = {
        "verdict": FORMAT,
        "contract": pin.name,
        "side": pin.side,
        "branch": branch,
        "commit": _run(folder, "rev-parse", "HEAD"),
        "held_to": pin.label,
        "recorded": _list_recorded(folder, pin),
        "pairs": None if pairs is None else [list(pair) for pair, is_held in _hold(pairs, MAX_PAIRS) if is_held],
        "rows": [row if is_held else _leave_out_payload(row) for row, is_held in _hold(told, MAX_ROWS)],
    }
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "verdict.json"
        write_atomic(file, json.dumps(document).encode())
        blob = _run(folder, "hash-object", "-w", "--no-filters", str(file))
    _run(folder, "push", "--quiet", "--force", "origin", f"{blob}:{VERDICTS}{name_verdict(pin.name, pin.side, branch)}")


def name_verdict(contract: str, side: str, branch: str) -> str:
    """The name of a verdict's ref. One flat name: git holds no `a` beside `a/b`, and an old branch may leave an `a`."""
    return hashlib.blake2b("\0".join((contract, side, branch)).encode(), digest_size=10).hexdigest()


def _list_recorded(folder: Path, pin: Pin) -> list[Any]:
    """What the producer's tests send, as far as it is read: an unreadable file is a row of its own already."""
    payloads: list[Any] = []
    for shown in pin.shows if pin.side == "producer" else ():
        if shown.endswith(RECORDS):
            try:
                payloads += [payload for _, payload in read_records(folder / shown)]
            except ContractError:
                continue
    payloads = [payload for payload in payloads if len(json.dumps(payload)) <= MAX_PAYLOAD_CHARS]
    return [payload for payload, is_held in _hold(payloads, MAX_ROWS) if is_held]


def _hold(some: Sequence[Any], most: int) -> Iterator[tuple[Any, bool]]:
    """So many of them, each with whether there is room for it."""
    room = MAX_PART_CHARS
    for one in some[:most]:
        size = len(json.dumps(one))
        yield one, size <= room
        room -= size if size <= room else 0


def _leave_out_payload(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose payload has no room is told all the same."""
    why = "Its payload is too long to be told; the log of that CI has it."
    return {name: value for name, value in row.items() if name != "payload"} | {"message": f"{row['message']} {why}"}


def _run(folder: Path, *words: str) -> str:
    try:
        done = run_git(folder, *words, timeout_s=FETCH_S)
    except OSError as e:
        raise UsageError(f"the verdict was not published: {e}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        # The first line of git's is the fault; the last is advice.
        faults = [line for line in lines if line.startswith(("fatal:", "error:"))]
        why = (faults or lines[-1:] or [str(done.returncode)])[0]
        raise UsageError(
            f"the verdict was not published: git {words[0]}: {why.rstrip('.')}. CI needs an `origin`, and the right to "
            "push to it."
        )
    return done.stdout.decode("utf-8", "replace").strip()


def read_verdicts(pin: Pin, folder: Path, *, fetch: bool = True) -> Iterator[Verdict]:
    """What the branches of the other repository last said of the other side. Raises ContractError."""
    other = SIDES[1 - SIDES.index(pin.side)]
    main, blobs = read_peer(pin, folder, lambda branch: name_verdict(pin.name, other, branch), fetch=fetch)
    for branch, blob in blobs.items():
        document = _parse_verdict(blob, pin)
        rows = [
            Row(
                row["state"],
                make_line(row["message"]),
                row.get("payload", NOTHING),
                row["about"],
                is_asked=row.get("asked") is True,
            )
            for row in document["rows"][:MAX_ROWS]
        ]
        recorded, commit = tuple(document["recorded"][:MAX_ROWS]), make_line(document["commit"])
        pairs = document.get("pairs")
        yield Verdict(
            branch,
            commit,
            make_line(document["held_to"]),
            tuple(rows),
            recorded,
            commit == main,
            None if pairs is None else tuple((before, now) for before, now in pairs[:MAX_PAIRS]),
        )


def make_line(text: str) -> str:
    """A text of another repository as one line: in a log of CI, a line of its own may be a command to the runner."""
    return shorten("".join(c if c.isprintable() else " " for c in text), MAX_PAYLOAD_CHARS)


def _parse_verdict(blob: bytes, pin: Pin) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(blob)
        words = [document[name] for name in ("commit", "held_to")]
        words += [row[key] for row in document["rows"] for key in ("message", "about")]
        is_right = document["verdict"] == FORMAT and all(isinstance(word, str) for word in words)
        is_right = (
            is_right
            and isinstance(document["recorded"], list)
            and all(len(pair) == 2 for pair in document.get("pairs") or ())
            and all(row["state"] in _STATES for row in document["rows"])
        )
    except (ValueError, KeyError, TypeError):
        is_right = False
    if not is_right:
        raise ContractError(
            f"{pin.peer or pin.source} holds a verdict of another form. Verify its branches with this GraphBus."
        )
    return document
