from readings import read


def first_above(lines, limit):
    for when, value in read(lines):
        if value > limit:
            return when
    return None
