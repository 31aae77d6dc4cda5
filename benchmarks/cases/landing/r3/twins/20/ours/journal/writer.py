"""An append-only journal: time, who, action, detail"""
import datetime

SEPARATOR = "\t"


def clean(field):
    return str(field).replace(SEPARATOR, " ").replace("\n", " ")


class Journal:
    def __init__(self, path, clock=datetime.datetime.now):
        self.path = path
        self.clock = clock

    def write(self, who, action, detail=""):
        stamp = self.clock().isoformat(timespec="seconds")
        line = SEPARATOR.join([stamp, clean(who), clean(action), clean(detail)])
        with open(self.path, "a", encoding="utf-8") as handle:
            handle.write(line + "\n")
        return line
