"""Mails."""

from bill import summarize


def body(lines):
    summary = summarize(lines)
    return f"You owe {summary['total']}"
