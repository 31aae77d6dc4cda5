"""Pictures of the users."""

from media.uploads import MEGA, TooLarge


class AvatarService(object):
    """Keeps one picture per user; a limit of nothing means no limit."""

    def __init__(self, settings):
        self._settings = settings
        self._avatars = {}

    def change(self, user, picture):
        """Set the picture of a user; return the edge of its thumbnail."""
        limit = self._settings.get("upload.max_mb")
        if limit and len(picture) > limit * MEGA:
            raise TooLarge(user)
        self._avatars[user] = picture
        return self._settings.get("thumb.size")

    def of(self, user):
        """Return the picture of a user, or None."""
        return self._avatars.get(user)
