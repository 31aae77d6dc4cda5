"""Old keyword arguments of Writer.rows and the fields of Dialect.guess that fill them."""

RENAMED = (("line_terminator", "lineterminator"),)


def for_writer(dialect: dict) -> dict:
    out = {"delimiter": dialect["delimiter"]}
    for old, new in RENAMED:
        out[old] = dialect[new]
    return out
