"""Reading the bank's semicolon files."""


def read_rows(lines):
    """Rows as dicts; empty lines and # comments left out."""
    rows = []
    names = None
    for line in lines:
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split(";")]
        if names is None:
            names = cells
        else:
            rows.append(dict(zip(names, cells)))
    return rows
