"""The last entries of the journal, newest first: python -m journal.tail FILE [WHO]"""
import sys

from journal.writer import SEPARATOR


def split(line):
    fields = line.rstrip("\n").split(SEPARATOR)
    if len(fields) != 4:
        return None
    return dict(zip(("time", "who", "action", "detail"), fields))


def tail(lines, who=None, count=10):
    found = []
    for line in lines:
        entry = split(line)
        if entry and (who is None or entry["who"] == who):
            found.append(entry)
    return found[-count:][::-1]


def main(argv):
    with open(argv[0], encoding="utf-8") as handle:
        for entry in tail(handle, *argv[1:2]):
            print(f"{entry['time']} {entry['who']:<8} {entry['action']} {entry['detail']}".rstrip())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
