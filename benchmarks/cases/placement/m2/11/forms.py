import copy
import xml.etree.ElementTree as ET

LABEL = ET.fromstring("<label version='2'><to/><service/><hints/></label>")
CUSTOMS = ET.fromstring("<cn23><sender/><items/><total/></cn23>")


def label() -> ET.Element:
    return copy.copy(LABEL)


def customs() -> ET.Element:
    return copy.deepcopy(CUSTOMS)


def text(root: ET.Element) -> str:
    return ET.tostring(root, encoding="unicode")
