import re
from collections import Counter
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

from .rules import plain, unique_names

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_STOP = frozenset("a an and in of on or the to".split())


@dataclass
class Section:
    level: int
    title: str
    children: list["Section"] = field(default_factory=list)

    def as_list(self) -> list:
        return [self.title, [c.as_list() for c in self.children]]


def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", plain(title).lower()).strip("-") or "section"


class OutlineParser(GraphBusNode):
    @subscribe("/Document/Outline")
    def outline(self, text: str) -> dict:
        name = unique_names()
        root = Section(0, "")
        stack = [root]
        anchors = []
        for line in text.splitlines():
            if m := _HEADING.match(line):
                section = Section(len(m[1]), m[2])
                while stack[-1].level >= section.level:
                    stack.pop()
                stack[-1].children.append(section)
                stack.append(section)
                anchors.append(name(slug(section.title)))
        return {"tree": root.as_list()[1], "anchors": anchors}


class Permalink(GraphBusNode):
    name = staticmethod(unique_names())

    @subscribe("/Post/Titled")
    def titled(self, title: str) -> str:
        return "/posts/" + self.name(slug(title))


class Keywords(GraphBusNode):
    @subscribe("/Document/Keywords")
    def keywords(self, text: str, most: int) -> list[str]:
        words = re.findall(r"[a-z']+", plain(text).lower())
        counted = Counter(w for w in words if w not in _STOP)
        return [w for w, _ in sorted(counted.items(), key=lambda kv: (-kv[1], kv[0]))[:most]]
