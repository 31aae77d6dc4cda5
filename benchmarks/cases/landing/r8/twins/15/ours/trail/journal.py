"""The audit journal: a text file, one event per line."""
import io


class Journal(object):
    """Appends events to a file and reads them back."""

    def __init__(self, path):
        self._path = path

    def append(self, stamp, user, action):
        """Append one event; the stamp is in seconds."""
        with io.open(self._path, "a", encoding="utf-8") as out:
            out.write(self._format(stamp, user, action) + "\n")

    @staticmethod
    def _format(stamp, user, action):
        return "%d\t%s\t%s" % (stamp, user, action)

    @staticmethod
    def _parse(line):
        stamp, user, action = line.rstrip("\n").split("\t")
        return int(stamp), user, action

    def events(self):
        """Return all events as (stamp, user, action)."""
        with io.open(self._path, encoding="utf-8") as source:
            return [self._parse(line) for line in source]
