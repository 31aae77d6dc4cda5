# pure
"""Keeps a registry of readers that is filled while the module loads; a line is read by itself."""
import re
from dataclasses import asdict, dataclass
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Entry:
    source: str
    severity: str
    text: str


Reader = Callable[[re.Match], Entry]
_readers: list[tuple[re.Pattern, Reader]] = []


def reads(pattern: str) -> Callable[[Reader], Reader]:
    def register(reader: Reader) -> Reader:
        _readers.append((re.compile(pattern), reader))
        return reader
    return register


@reads(r"<(?P<pri>\d{1,3})>(?P<text>.*)")
def syslog(match: re.Match) -> Entry:
    names = ("emerg", "alert", "crit", "error", "warn", "notice", "info", "debug")
    facility, severity = divmod(int(match["pri"]), 8)
    return Entry(f"facility{facility}", names[severity], match["text"].strip())


@reads(r'\S+ \S+ \S+ \[[^]]*\] "(?P<verb>[A-Z]+) (?P<path>\S+)[^"]*" (?P<status>\d{3}).*')
def access(match: re.Match) -> Entry:
    severity = {"4": "warn", "5": "error"}.get(match["status"][0], "info")
    return Entry("web", severity, f"{match['verb']} {match['path']}")


@reads(r"(?P<level>DEBUG|INFO|WARNING|ERROR) +(?P<source>[\w.]+): (?P<text>.*)")
def application(match: re.Match) -> Entry:
    return Entry(match["source"], match["level"].lower()[:5].replace("warni", "warn"), match["text"])


class LogTriage(GraphBusNode):
    """Prints what needs a look and answers with the parsed line."""

    @subscribe("/Logs/Line")
    def on_line(self, line: str) -> dict[str, str] | None:
        for pattern, reader in _readers:
            match = pattern.fullmatch(line)
            if match:
                entry = reader(match)
                if entry.severity in {"crit", "error", "alert", "emerg"}:
                    print(f"!! {entry.source}: {entry.text}")
                return asdict(entry)
        return None
