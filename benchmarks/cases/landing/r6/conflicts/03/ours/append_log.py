from csvout import to_csv


def append_log(path, rows):
    with open(path, "a") as out:
        out.write(to_csv(rows))
