def split_name(full):
    first, _, last = full.partition(' ')
    return first, last


def initials(full):
    parts = split_name(full)
    return parts[0][0] + parts[1][0]
