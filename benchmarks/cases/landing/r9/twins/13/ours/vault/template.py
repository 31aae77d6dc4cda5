"""Fill ${secret:NAME} and ${secret:NAME|fallback} in configuration files."""
import re

_HOLE = re.compile(r"\$\{secret:([\w-]+)(?:\|([^}]*))?\}")


def fill(text, vault):
    def value(hole):
        name, fallback = hole.groups()
        try:
            return vault.read(name)
        except KeyError:
            if fallback is None:
                raise
            return fallback

    return _HOLE.sub(value, text)
