# pure
"""Keeps nothing but a compiled pattern and a list of level names."""
import re

from graphbus_core import GraphBusNode, subscribe

LINE = re.compile(r"^\[(?P<level>[A-Z]+)\]\s+(?P<module>[\w.]+):\s*(?P<msg>.*)$")
PAIR = re.compile(r"(\w+)=(\"[^\"]*\"|\S+)")
LEVELS = ["DEBUG", "INFO", "WARN", "ERROR", "FATAL"]


def pairs(msg):
    found = {}
    for key, value in PAIR.findall(msg):
        found[key] = value.strip('"')
    return found


def parse(line):
    m = LINE.match(line.strip())
    if m is None:
        return None
    rec = m.groupdict()
    rec["fields"] = pairs(rec["msg"])
    try:
        rec["severity"] = LEVELS.index(rec["level"])
    except ValueError:
        rec["severity"] = -1
    return rec


class LogReader(GraphBusNode):

    @subscribe("/logs/line")
    def on_line(self, line: str) -> dict:
        rec = parse(line)
        if rec is None:
            return {"ok": False, "raw": line}
        rec["ok"] = True
        rec["page_oncall"] = rec["severity"] >= 3 and "test" not in rec["module"]
        return rec
