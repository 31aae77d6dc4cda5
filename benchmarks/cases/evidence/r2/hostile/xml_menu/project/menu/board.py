import xml.etree.ElementTree as ET


def to_xml(row):
    root = ET.Element("menu")
    for key, value in row.items():
        ET.SubElement(root, key).text = value
    return ET.tostring(root, encoding="unicode")


def headline(xml):
    return ET.fromstring(xml).findtext("./dish")
