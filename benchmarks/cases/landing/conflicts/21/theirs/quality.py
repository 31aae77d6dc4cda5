from temps import parse


def bad_lines(lines):
    bad = 0
    for line in lines:
        try:
            parse(line)
        except ValueError:
            bad += 1
    return bad
