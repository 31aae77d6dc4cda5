"""Requests under article 17: forget a person."""


def erase(roll, email):
    """Blank all that we hold on an address; returns how many records it was."""
    records = roll.find(email, include_lapsed=True)
    for m in records:
        m.name = "(erased)"
        m.email = ""
        m.notes.clear()
    return len(records)
