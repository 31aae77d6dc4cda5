from temps import is_reading


def bad_lines(lines):
    return sum(not is_reading(line) for line in lines)
