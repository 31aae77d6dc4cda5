"""Files from before 2015. A pack held one piece then."""

COLUMNS = {"qty": "packs"}


def row(record):
    return {column: record[name] for column, name in COLUMNS.items()}
