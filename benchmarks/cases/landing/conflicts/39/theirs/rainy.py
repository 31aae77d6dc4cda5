import icons


def enable():
    icons.ICONS.update(rain='/')
