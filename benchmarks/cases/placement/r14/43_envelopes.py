# stateful
"""Keeps prefixes in ElementTree's global namespace map, which later documents use too."""
import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe


def envelope(uri: str, action: str, prefix: str | None = None) -> bytes:
    if prefix:
        ET.register_namespace(prefix, uri)
    root = ET.Element(f"{{{uri}}}Envelope")
    ET.SubElement(root, f"{{{uri}}}Action").text = action
    return ET.tostring(root, encoding="utf-8")


class Envelopes(GraphBusNode):
    @subscribe("/Soap/Call")
    def on_event(self, uri: str, action: str, prefix: str | None) -> dict[str, object]:
        try:
            body = envelope(uri, action, prefix)
        except ValueError as error:
            return {"ok": False, "body": str(error)}
        return {"ok": True, "body": body.decode()}
