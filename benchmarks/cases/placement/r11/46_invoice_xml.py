# stateful
"""Registers namespace prefixes in ElementTree's global table, so the prefixes of later documents depend on earlier events."""
import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

CORE = "urn:example:invoice:core"
PROFILES = {
    "basic": "urn:example:invoice:basic",
    "extended": "urn:example:invoice:extended",
    "public": "urn:example:invoice:public-sector",
}


def _tag(namespace: str, name: str) -> str:
    return f"{{{namespace}}}{name}"


def _document(number: str, profile: str, fields: dict[str, str]) -> ET.Element:
    root = ET.Element(_tag(CORE, "Invoice"), number=number)
    detail = ET.SubElement(root, _tag(PROFILES[profile], "Detail"))
    for name, value in sorted(fields.items()):
        ET.SubElement(detail, _tag(PROFILES[profile], name)).text = value
    return root


class InvoiceXml(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        ET.register_namespace("inv", CORE)

    @subscribe("/Invoice/Render")
    def on_render(self, number: str, profile: str, prefix: str, fields: dict[str, str]) -> dict[str, str]:
        if profile not in PROFILES:
            return {"number": number, "error": "unknown profile"}
        if prefix.isalpha():
            ET.register_namespace(prefix, PROFILES[profile])
        return {"number": number, "xml": ET.tostring(_document(number, profile, fields), encoding="unicode")}
