import icons


def enable():
    icons.add_icon('rain', '/')
