# stateful
"""Keeps the prefixes of XML name spaces in the table that the whole element tree library uses."""
import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

SCHEMAS = {
    "lido": "http://museum.example/lido",
    "dc": "http://museum.example/dublin",
    "geo": "http://museum.example/place",
}


def declare(prefix: str, schema: str) -> None:
    if prefix.isidentifier() and not prefix.startswith("ns"):
        ET.register_namespace(prefix, SCHEMAS[schema])


def build(schema: str, title: str, year: int) -> ET.Element:
    space = SCHEMAS[schema]
    root = ET.Element(f"{{{space}}}exhibit")
    ET.SubElement(root, f"{{{space}}}title").text = title
    if year:
        ET.SubElement(root, f"{{{space}}}year", {"era": "BC" if year < 0 else "AD"}).text = str(abs(year))
    return root


class ExhibitExport(GraphBusNode):
    @subscribe("/Museum/Catalogued")
    def on_catalogued(self, schema: str, title: str, year: int, prefix: str) -> dict[str, str]:
        if schema not in SCHEMAS:
            schema = "dc"
        declare(prefix, schema)
        return {"xml": ET.tostring(build(schema, title, year), encoding="unicode")}
