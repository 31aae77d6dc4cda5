"""Settings: built-in values, overridden by an INI-like file."""

DEFAULTS = {
    "smtp.host": "localhost",
    "smtp.port": 25,
    "net.timeout": 10,
    "sender": "noreply@example.org",
}

# The timeout has become that of all connections; files may have the old key.
RENAMED = {"smtp.timeout": "net.timeout"}


def load(lines=()):
    settings = dict(DEFAULTS)
    for line in lines:
        key, equals, value = line.partition("=")
        if not equals or key.lstrip().startswith("#"):
            continue
        key, value = RENAMED.get(key.strip(), key.strip()), value.strip()
        settings[key] = int(value) if value.isdigit() else value
    return settings
