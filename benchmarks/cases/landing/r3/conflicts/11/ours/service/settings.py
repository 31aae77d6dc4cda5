"""Settings: key = value lines, # comments, defaults below."""

DEFAULTS = {
    "host": "127.0.0.1",
    "port": 8080,
    "timeout_seconds": 10,
    "workers": 4,
}


class SettingsError(ValueError):
    pass


def parse(text):
    settings = dict(DEFAULTS)
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or key not in DEFAULTS:
            raise SettingsError(f"line {number}: {line}")
        settings[key] = type(DEFAULTS[key])(value)
    return settings
