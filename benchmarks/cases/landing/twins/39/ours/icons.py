_ICONS = {'sun': '*'}


def add_icon(name, glyph):
    _ICONS[name] = glyph


def icon(name):
    return _ICONS.get(name, '?')
