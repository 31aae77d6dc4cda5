"""Bits of HTML."""
def row(cells):
    """Cells are HTML already: they may hold links."""
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def table(rows):
    return "<table>\n" + "\n".join(rows) + "\n</table>"
