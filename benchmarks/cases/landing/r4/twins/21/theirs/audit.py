"""Who did what, kept for the auditors."""
from journal import Journal


def record(path, user, action, **details):
    extra = " ".join(f"{key}={value}" for key, value in sorted(details.items()))
    with Journal(path) as journal:
        journal.write(f"{user} {action} {extra}".rstrip())
