"""Members of the club and their export."""
import csv
from dataclasses import dataclass

FIELDS = ["name", "email", "city"]


@dataclass(frozen=True)
class Member:
    name: str
    email: str
    city: str = ""


def export(path, members):
    """Write members to a CSV file, sorted by name."""
    with open(path, "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(FIELDS)
        for m in sorted(members, key=lambda m: m.name):
            writer.writerow([m.name, m.email, m.city])
