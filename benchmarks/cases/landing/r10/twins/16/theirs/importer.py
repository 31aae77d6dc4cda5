"""Read members from a CSV file, such as one that export wrote."""
import csv
import re

from members import Member

EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


def load(path):
    """Return (members, problems); a problem is a line number and what is wrong with it."""
    members, problems = [], []
    with open(path, encoding="utf-8-sig", newline="") as f:
        for row in csv.DictReader(f):
            line = len(members) + len(problems) + 2
            name = (row.get("name") or "").strip()
            email = (row.get("email") or "").strip()
            if not name:
                problems.append((line, "no name"))
            elif not EMAIL.fullmatch(email):
                problems.append((line, f"not an address: {email}"))
            else:
                members.append(Member(name, email, (row.get("city") or "").strip()))
    return members, problems
