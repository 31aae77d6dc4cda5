"""Brings a local copy of the inventory up to date."""
from dataclasses import dataclass


@dataclass
class Changes:
    updated: int = 0
    removed: int = 0


def sync(client, local):
    """Change local ({number: item}) in place."""
    changes = Changes()
    for number in sorted(local):
        item = client.call(f"/items/{number}", retries=3, timeout=20)
        if item is None:
            del local[number]
            changes.removed += 1
        elif item != local[number]:
            local[number] = item
            changes.updated += 1
    return changes
