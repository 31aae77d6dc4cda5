"""Users who have not been seen for long."""
import io


class IdleReport(object):
    """Reads a journal file, maybe one copied from another machine."""

    def __init__(self, path, known_users):
        self._path = path
        self._known = set(known_users)

    def last_seen(self):
        """Return the last stamp of each user, 0 for never."""
        seen = dict.fromkeys(self._known, 0)
        with io.open(self._path, encoding="utf-8") as source:
            for line in source:
                fields = line.split("\t")
                if fields[1] in seen and fields[0].isdigit():
                    seen[fields[1]] = max(seen[fields[1]], int(fields[0]))
        return seen

    def idle_since(self, stamp):
        """Return the users not seen since the stamp, sorted."""
        return sorted(user for user, last in self.last_seen().items() if last < stamp)
