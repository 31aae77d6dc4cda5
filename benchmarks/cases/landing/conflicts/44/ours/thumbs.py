from image import crop

PRESETS = {
    'wide': {'w': 4},
    'tiny': {'w': 1},
}


def thumb(row, preset):
    return crop(row, **PRESETS[preset])
