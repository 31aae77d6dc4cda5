# pure
"""Fills work attributes of the node while it handles an event, but resets all of them first; nothing passes on."""
import re

from graphbus_core import GraphBusNode, subscribe

_HEADING = re.compile(r"^(#{1,4})\s+(.+?)\s*#*$")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


class MarkdownToc(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._numbers = [0, 0, 0, 0]
        self._used: dict[str, int] = {}
        self._entries: list[str] = []

    def _reset(self) -> None:
        self._numbers = [0, 0, 0, 0]
        self._used.clear()
        self._entries = []

    def _number(self, level: int) -> str:
        self._numbers[level - 1] += 1
        for deeper in range(level, len(self._numbers)):
            self._numbers[deeper] = 0
        return ".".join(str(n) for n in self._numbers[:level])

    def _slug(self, title: str) -> str:
        slug = _NOT_SLUG.sub("-", title.lower()).strip("-") or "section"
        seen = self._used.get(slug, 0)
        self._used[slug] = seen + 1
        return f"{slug}-{seen}" if seen else slug

    @subscribe("/Docs/Page")
    def on_page(self, path: str, text: str) -> dict:
        self._reset()
        fenced = False
        for line in text.splitlines():
            if line.startswith("```"):
                fenced = not fenced
            heading = None if fenced else _HEADING.match(line)
            if heading:
                level = len(heading[1])
                number = self._number(level)
                self._entries.append(f"{'  ' * (level - 1)}{number} [{heading[2]}]({path}#{self._slug(heading[2])})")
        return {"path": path, "toc": "\n".join(self._entries), "headings": len(self._entries)}
