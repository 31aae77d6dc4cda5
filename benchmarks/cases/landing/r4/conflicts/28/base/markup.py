"""Bits of HTML."""
from html import escape


def row(cells):
    return "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>"


def table(rows):
    return "<table>\n" + "\n".join(rows) + "\n</table>"
