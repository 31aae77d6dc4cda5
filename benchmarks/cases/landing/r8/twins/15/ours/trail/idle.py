"""Users who have not been seen for long."""
from trail.journal import Journal


class IdleReport(object):
    """Reads a journal file, maybe one copied from another machine."""

    def __init__(self, path, known_users):
        self._path = path
        self._known = set(known_users)

    def last_seen(self):
        """Return the last stamp of each user, 0 for never."""
        seen = dict.fromkeys(self._known, 0)
        for stamp, user, _ in Journal(self._path).events():
            if user in seen:
                seen[user] = max(seen[user], stamp)
        return seen

    def idle_since(self, stamp):
        """Return the users not seen since the stamp, sorted."""
        return sorted(user for user, last in self.last_seen().items() if last < stamp)
