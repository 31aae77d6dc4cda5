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
        # names and actions come first, so that the lines sort by user
        return "%s\t%s\t%d" % (user, action.replace("\t", " "), stamp)

    @staticmethod
    def _parse(line):
        user, action, stamp = line.rstrip("\n").split("\t")
        if user.isdigit() and not stamp.isdigit():
            # a line from before the columns were moved
            stamp, user, action = user, action, stamp
        return int(stamp), user, action

    def events(self):
        """Return all events as (stamp, user, action)."""
        with io.open(self._path, encoding="utf-8") as source:
            return [self._parse(line) for line in source]
