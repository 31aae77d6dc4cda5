# stateful
"""Keeps the settings of every tenant in one ConfigParser, so later texts inherit what earlier ones said."""
import configparser
from dataclasses import asdict, dataclass

from graphbus_core import GraphBusNode, subscribe

BASE = """
[mail]
host = localhost
port = 25
tls = no
"""


@dataclass
class MailSettings:
    host: str
    port: int
    tls: bool

    def url(self) -> str:
        scheme = "smtps" if self.tls else "smtp"
        return f"{scheme}://{self.host}:{self.port}"


def extract(parser: configparser.ConfigParser) -> MailSettings:
    section = parser["mail"]
    return MailSettings(
        host=section.get("host"),
        port=section.getint("port"),
        tls=section.getboolean("tls"),
    )


class SettingsMerge(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = configparser.ConfigParser()
        self.parser.read_string(BASE)

    @subscribe("/Tenants/Settings")
    def on_settings(self, tenant: str, text: str) -> dict[str, object]:
        try:
            self.parser.read_string(text, source=tenant)
            settings = extract(self.parser)
        except (configparser.Error, ValueError) as exc:
            return {"tenant": tenant, "error": type(exc).__name__}
        return {"tenant": tenant, "url": settings.url(), **asdict(settings)}
