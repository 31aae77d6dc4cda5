# stateful
"""ElementTree.register_namespace writes into a process-wide table, so earlier partners change later prefixes."""
import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

BASE = "urn:ins:claims"


def to_xml(uri: str, number: str, amount: int) -> str:
    root = ET.Element(f"{{{uri}}}claim", {"number": number})
    ET.SubElement(root, f"{{{uri}}}amount").text = str(amount)
    return ET.tostring(root, encoding="unicode")


class PartnerExport(GraphBusNode):
    @subscribe("/Partners/Export")
    def export(self, partner: str, number: str, amount: int, prefix: str) -> dict[str, str]:
        uri = f"{BASE}:{partner}"
        if prefix:
            ET.register_namespace(prefix, uri)
        document = to_xml(uri, number, amount)
        return {"partner": partner, "document": document}
