# pure
"""Keeps nothing: each event reads into a parser of its own and writes to a child of the shared map."""
import configparser
import io
from collections import ChainMap

from graphbus_core import GraphBusNode, subscribe

FACTORY = {"voltage": "230", "phase": "1", "limit": "16", "name": "unnamed"}
COUNTRY = {"jp": {"voltage": "100"}, "us": {"voltage": "120", "limit": "15"}, "de": {"phase": "3"}}
BASE = ChainMap({}, FACTORY)


def read_site(text: str) -> tuple[configparser.ConfigParser, list[str]]:
    parser = configparser.ConfigParser(default_section="all", strict=False, allow_no_value=True)
    trouble = []
    try:
        parser.read_string(text)
    except configparser.Error as error:
        trouble.append(type(error).__name__)
    return parser, trouble


def effective(parser: configparser.ConfigParser, section: str, country: str) -> ChainMap:
    values = BASE.new_child(dict(COUNTRY.get(country, {}))).new_child()
    values["name"] = section
    for key, value in parser.items(section):
        if value:
            values[key] = value
    if values["phase"] == "3" and values["voltage"].isdecimal():
        values["voltage"] = str(round(int(values["voltage"]) * 3**0.5))
    return values


class SiteConfig(GraphBusNode):
    @subscribe("/Charging/Site")
    def on_site(self, country: str, text: str) -> dict[str, object]:
        parser, trouble = read_site(text)
        merged = configparser.ConfigParser()
        watts: dict[str, int] = {}
        for section in parser.sections():
            values = effective(parser, section, country.lower())
            merged[section] = {key: values[key] for key in sorted(values)}
            try:
                watts[section] = int(values["voltage"]) * int(values["limit"])
            except ValueError:
                trouble.append(f"{section}: not a number")
        out = io.StringIO()
        merged.write(out, space_around_delimiters=False)
        return {"watts": watts, "config": out.getvalue(), "trouble": trouble}
