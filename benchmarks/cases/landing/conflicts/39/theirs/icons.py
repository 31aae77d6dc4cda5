ICONS = {'sun': '*'}


def add_icon(name, glyph):
    ICONS[name] = glyph


def icon(name):
    return ICONS.get(name, '?')
