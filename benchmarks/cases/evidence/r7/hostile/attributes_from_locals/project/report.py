from log import Log

COLUMNS = "hole:4 depth:7"


def line(log):
    cells = []
    for column in COLUMNS.split():
        name, _, width = column.partition(":")
        cells.append(format(getattr(log, name), f">{width}"))
    return "".join(cells)


if __name__ == "__main__":
    log = Log()
    log.add(8, 1)
    print(line(log))
