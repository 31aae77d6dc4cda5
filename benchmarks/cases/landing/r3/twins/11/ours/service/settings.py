"""Settings: key = value lines, # comments, defaults below."""

DEFAULTS = {
    "host": "127.0.0.1",
    "port": 8080,
    "timeout": 10,
    "workers": 4,
}

# how newer files call a setting
ALIASES = {"timeout_seconds": "timeout", "listen": "host"}


class SettingsError(ValueError):
    pass


def parse(text):
    settings = dict(DEFAULTS)
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        key = ALIASES.get(key, key)
        if not equals or key not in DEFAULTS:
            raise SettingsError(f"line {number}: {line}")
        settings[key] = type(DEFAULTS[key])(value)
    return settings
