"""Rows."""


def read_rows(text):
    return [line.strip() for line in text.splitlines()]
