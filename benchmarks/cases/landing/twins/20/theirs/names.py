def strip_title(name):
    return name.removeprefix('Dr. ')
