"""Bits of HTML."""
from html import escape


class Html(str):
    """Text that is HTML already."""


def row(cells):
    return "<tr>" + "".join(f"<td>{cell if isinstance(cell, Html) else escape(str(cell))}</td>" for cell in cells) + "</tr>"


def table(rows):
    return "<table>\n" + "\n".join(rows) + "\n</table>"
