from image import crop

PRESETS = {
    'wide': {'left': 1},
    'tiny': {'left': 4},
}


def thumb(row, preset):
    return crop(row, **PRESETS[preset])
