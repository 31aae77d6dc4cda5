import re
from dataclasses import asdict, dataclass, field
from enum import IntEnum

LINE = re.compile(r"^\[(?P<level>[A-Z]+)\]\s+(?P<service>[\w.-]+):\s*(?P<text>.*)$")
PAIR = re.compile(r"(\w+)=(\"[^\"]*\"|\S+)")


class Severity(IntEnum):
    DEBUG = 10
    INFO = 20
    WARN = 30
    ERROR = 40

    @classmethod
    def named(cls, name: str) -> "Severity":
        aliases = {"WARNING": "WARN", "FATAL": "ERROR", "TRACE": "DEBUG"}
        return cls[aliases.get(name, name)] if aliases.get(name, name) in cls.__members__ else cls.INFO


@dataclass
class LogRecord:
    severity: Severity
    service: str
    text: str
    fields: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, line: str) -> "LogRecord | None":
        match = LINE.match(line.strip())
        if match is None:
            return None
        record = cls(Severity.named(match["level"]), match["service"], match["text"])
        for key, value in PAIR.findall(record.text):
            record.fields[key] = value.strip('"')
        record.text = PAIR.sub("", record.text).strip()
        return record

    @property
    def fingerprint(self) -> str:
        return f"{self.service}/{re.sub(r'[0-9]+', '#', self.text)}"

    def as_dict(self) -> dict:
        plain = asdict(self)
        plain["severity"] = self.severity.name
        return plain
