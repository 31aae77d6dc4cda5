"""Which commits were taken back, and when: what `graphbus undo` leaves in the records of `.graphbus/undo/`.

The same start gives the same ids of proposals, so a commit that was taken back may be made again by a later build and
get the same record. A record therefore names its build, and keeps what was undone before it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FOLDER = "undo"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_OTHER = re.compile(r"(\.[0-9a-f]{8})?\.json$")
KEPT = 50  # undoings of one id that a record remembers


# A new record: the old one may be held by somebody who compares the two.
def marked(record: Mapping[str, Any], at: float) -> dict[str, Any]:
    """The record of a commit that was taken back, at epoch seconds `at`."""
    return {**record, "undone": True, "undone_at": at}


def earlier(had: bytes | None) -> list[dict[str, Any]]:
    """What a record that is about to be written over says was undone: for the new record's `undone_before`."""
    record = _read(had)
    before = list(record.get("undone_before") or ())
    if record.get("undone"):
        before.append({"build_id": record.get("build_id", ""), "at": record.get("undone_at")})
    # The last ones: a proposal that is made and undone in turn for years must not grow its record without a bound.
    return before[-KEPT:]


def undone_in(output_dir: Path, build_id: str, committed: Iterable[str]) -> dict[str, float | None]:
    """Those of the `committed` proposals of a build that were taken back -> when (None: an older version did not say).

    A record without a build speaks of every build that has the proposal: it could only be made again because it was
    taken back before.
    """
    found: dict[str, float | None] = {}
    try:
        names = os.listdir(output_dir / FOLDER)
    except OSError:
        return found
    files: dict[str, list[str]] = {}
    for name in names:  # a second project that shares the output folder has a name of its own for the same id
        files.setdefault(_OTHER.sub("", name), []).append(name)
    for proposal_id in committed:
        if not _ID.fullmatch(proposal_id):  # a log may come from anywhere, and this becomes a path
            continue
        # The plain name as well: records of an edition before names had a suffix.
        for name in sorted({*files.get(proposal_id, ()), f"{proposal_id}.json"}):
            try:
                data = (output_dir / FOLDER / name).read_bytes()
            except OSError:
                continue
            for one in earlier(data):
                if one.get("build_id") in ("", build_id):
                    found[proposal_id] = one.get("at")
    return found


def _read(data: bytes | None) -> dict[str, Any]:
    try:
        made = json.loads(data) if data is not None else {}
    except ValueError:
        return {}
    return made if isinstance(made, dict) else {}
