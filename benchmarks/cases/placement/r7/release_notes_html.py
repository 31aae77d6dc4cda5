# pure
"""The renderer with its open lists and paragraphs is made anew for every document."""
import html
import re

from graphbus_core import GraphBusNode, subscribe

HEADING = re.compile(r"^(#{1,3})\s+(.*)$")
BULLET = re.compile(r"^[-*]\s+(.*)$")
INLINE = [
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+)\)"), r'<a href="\2">\1</a>'),
]


def inline(text: str) -> str:
    text = html.escape(text, quote=False)
    for pattern, replacement in INLINE:
        text = pattern.sub(replacement, text)
    return text


class Renderer:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.paragraph: list[str] = []
        self.in_list = False
        self.headings = 0

    def flush(self) -> None:
        if self.paragraph:
            self.out.append(f"<p>{inline(' '.join(self.paragraph))}</p>")
            self.paragraph.clear()

    def close_list(self) -> None:
        if self.in_list:
            self.out.append("</ul>")
            self.in_list = False

    def line(self, text: str) -> None:
        if match := HEADING.match(text):
            self.flush()
            self.close_list()
            self.headings += 1
            level = len(match[1])
            self.out.append(f'<h{level} id="s{self.headings}">{inline(match[2])}</h{level}>')
        elif match := BULLET.match(text):
            self.flush()
            if not self.in_list:
                self.out.append("<ul>")
                self.in_list = True
            self.out.append(f"<li>{inline(match[1])}</li>")
        elif not text.strip():
            self.flush()
            self.close_list()
        else:
            self.paragraph.append(text.strip())

    def finish(self) -> str:
        self.flush()
        self.close_list()
        return "\n".join(self.out)


class ReleaseNotes(GraphBusNode):
    @subscribe("/releases/notes")
    def on_notes(self, version: str, markdown: str) -> dict[str, object]:
        renderer = Renderer()
        for text in markdown.splitlines():
            renderer.line(text)
        return {"version": version, "html": renderer.finish(), "sections": renderer.headings}
