# stateful
"""Keeps all earlier addresses: the XML template is filled in place because copying an element copies only its top."""
import copy
import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = ET.fromstring(
    "<response><head><status>ok</status></head><urlset priority='0.5'></urlset></response>"
)


def add_address(parent: ET.Element, loc: str, priority: float) -> ET.Element:
    url = ET.SubElement(parent, "url")
    ET.SubElement(url, "loc").text = loc
    if priority != 0.5:
        ET.SubElement(url, "priority").text = f"{priority:.1f}"
    return url


def build(site: str, pages: list[str]) -> ET.Element:
    document = copy.copy(TEMPLATE)
    urlset = document.find("urlset")
    assert urlset is not None
    for page in pages:
        depth = page.strip("/").count("/")
        add_address(urlset, site.rstrip("/") + "/" + page.lstrip("/"), max(0.1, 0.5 - 0.1 * depth))
    document.set("site", site)
    return document


class SitemapEntry(GraphBusNode):
    """Makes the sitemap of one site."""

    @subscribe("/Site/Pages")
    def on_pages(self, site: str, pages: list[str]) -> str:
        document = build(site, pages)
        ET.indent(document)
        return ET.tostring(document, encoding="unicode")
