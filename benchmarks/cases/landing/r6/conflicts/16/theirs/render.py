from html import escape


def render(template, **values):
    """All values are escaped here."""
    return template.format(**{k: escape(str(v)) for k, v in values.items()})
