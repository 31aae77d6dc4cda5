"""Rows."""


def read_rows(text):
    for line in text.splitlines():
        yield line.strip()
