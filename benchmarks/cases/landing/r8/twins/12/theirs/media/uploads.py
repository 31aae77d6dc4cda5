"""Accepting pictures and films."""

MEGA = 1024 * 1024


class TooLarge(Exception):
    """The file is larger than allowed."""


class UploadService(object):
    """Accepts uploads and remembers where they are."""

    def __init__(self, settings):
        self._settings = settings
        self.accepted = []

    def accept(self, name, size):
        """Accept a file of that many bytes; return its place."""
        if size > self._settings.get("limits.upload_mb") * MEGA:
            raise TooLarge(name)
        place = "%s/%s" % (self._settings.get("upload.dir"), name)
        self.accepted.append(place)
        return place
