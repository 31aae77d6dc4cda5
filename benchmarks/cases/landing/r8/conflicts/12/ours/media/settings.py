"""Settings of the media service."""


DEFAULTS = {
    "upload.dir": "media",
    "upload.max_mb": 20,
    "thumb.size": 128,
}


class Settings(object):
    """Dotted keys with defaults, overridden by a mapping of strings."""

    def __init__(self, overrides=None):
        self._values = dict(DEFAULTS)
        for key, value in (overrides or {}).items():
            self._values[key] = self._convert(key, value)

    @staticmethod
    def _convert(key, value):
        if isinstance(DEFAULTS.get(key), int):
            return int(value)
        return value

    def get(self, key, default=None):
        """Return the value of a key, or the default."""
        return self._values.get(key, default)
