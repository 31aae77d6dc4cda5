# pure
"""The count of handled lines is only ever incremented and reaches no answer."""
import logging
import re
from enum import IntEnum

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger(__name__)

LINE = re.compile(
    r"^<(?P<pri>\d{1,3})>(?P<stamp>[A-Z][a-z]{2}\s+\d+ \d\d:\d\d:\d\d) "
    r"(?P<host>\S+) (?P<tag>[\w./-]+)(?:\[(?P<pid>\d+)\])?: (?P<text>.*)$"
)


class Severity(IntEnum):
    EMERGENCY = 0
    ALERT = 1
    CRITICAL = 2
    ERROR = 3
    WARNING = 4
    NOTICE = 5
    INFO = 6
    DEBUG = 7


FACILITIES = ["kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp"]
RAISE = {
    "sshd": [(re.compile(r"Failed password .* from (?P<peer>[\d.]+)"), Severity.WARNING)],
    "kernel": [(re.compile(r"Out of memory"), Severity.CRITICAL), (re.compile(r"I/O error"), Severity.ALERT)],
}


def escalate(tag: str, text: str, severity: Severity) -> tuple[Severity, str | None]:
    for pattern, level in RAISE.get(tag, []):
        if found := pattern.search(text):
            return min(level, severity), found.groupdict().get("peer")
    return severity, None


class SyslogIntake(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._handled = 0

    @subscribe("/syslog/raw")
    def on_line(self, line: str) -> dict[str, object] | None:
        self._handled += 1
        match = LINE.match(line.rstrip())
        if match is None:
            log.debug("cannot read %r", line)
            return None
        facility, level = divmod(int(match["pri"]), 8)
        severity, peer = escalate(match["tag"], match["text"], Severity(level))
        return {
            "host": match["host"].lower(),
            "facility": FACILITIES[facility] if facility < len(FACILITIES) else f"local{facility - 16}",
            "severity": severity.name.lower(),
            "pid": int(match["pid"]) if match["pid"] else None,
            "peer": peer,
            "page": severity <= Severity.CRITICAL,
        }
