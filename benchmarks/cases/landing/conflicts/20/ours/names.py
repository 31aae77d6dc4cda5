def strip_title(name):
    return name.removeprefix('Dr. ')


def normalise(name):
    return ' '.join(strip_title(name).split()).casefold()
