"""Choosing names for new accounts."""


class NameRegistry(object):
    """A name is never given out twice, not even after its owner left."""

    def __init__(self, directory):
        self._directory = directory

    def is_free(self, name):
        """Tell whether nobody has or had the name."""
        return name not in [a.name for a in self._directory.find(include_disabled=True)]
