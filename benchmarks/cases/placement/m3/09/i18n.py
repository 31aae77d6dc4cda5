CATALOGUES = {
    "en": {"hello": "Welcome, {name}", "late": "late by {n} minutes", "passed": "passed", "failed": "failed"},
    "de": {"hello": "Willkommen, {name}", "late": "{n} Minuten zu spät", "passed": "bestanden", "failed": "durchgefallen"},
    "it": {"hello": "Benvenuto, {name}"},
}

_active = CATALOGUES["en"]


def activate(code):
    global _active
    _active = CATALOGUES.get(code, CATALOGUES["en"])


def _(key, **values):
    text = _active.get(key) or CATALOGUES["en"][key]
    return text.format(**values)


def translate(code, key, **values):
    return {**CATALOGUES["en"], **CATALOGUES.get(code, {})}[key].format(**values)
