import xml.etree.ElementTree as ET
from abc import ABC

NS = {"media": "http://search.yahoo.com/mrss/", "dc": "http://purl.org/dc/elements/1.1/"}


class Embargoed(ABC):
    """Marker for story classes that may not go out yet."""


class Story:
    section = "news"

    def __init__(self, title, author):
        self.title = title
        self.author = author


class Sport(Story):
    section = "sport"


class Finance(Story):
    section = "finance"


class Culture(Story):
    section = "culture"


DESKS = {c.section: c for c in (Story, Sport, Finance, Culture)}


def element(story):
    item = ET.Element("item")
    ET.SubElement(item, "title").text = story.title
    ET.SubElement(item, f"{{{NS['dc']}}}creator").text = story.author
    return item


def plain_element(story):
    item = ET.Element("item", section=story.section)
    ET.SubElement(item, "title").text = story.title
    ET.SubElement(item, "by").text = story.author
    return item
