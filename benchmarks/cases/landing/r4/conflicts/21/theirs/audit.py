"""Who did what, kept for the auditors."""
from journal import Journal


def record(path, user, action, **details):
    extra = " ".join(f"{key}={value}" for key, value in sorted(details.items()))
    journal = Journal(path)
    journal.write(f"{user} {action} {extra}".rstrip())
