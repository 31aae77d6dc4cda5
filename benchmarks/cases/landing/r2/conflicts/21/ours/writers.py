"""Writers."""


def write_csv(rows):
    return ",".join(rows)


def write_json(rows):
    return str(rows)


WRITERS = {"text": write_csv, "json": write_json}
