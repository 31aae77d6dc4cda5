"""Backups."""

from writers import WRITERS


def name(day):
    return f"backup-{day}"


def save(rows):
    return WRITERS["json"](rows)
