# stateful
"""Keeps which colour each team got: the mapping hands out the next one when a name is missing."""
from graphbus_core import GraphBusNode, subscribe


class Palette(dict):
    COLOURS = ("teal", "amber", "plum", "olive", "coral")

    def __missing__(self, team):
        colour = self.COLOURS[len(self) % len(self.COLOURS)]
        self[team] = colour
        return colour


class Span:
    def __init__(self, text, colour):
        self.text = text
        self.colour = colour

    def __str__(self):
        return f'<span class="{self.colour}">{self.text}</span>'


class Renderer:
    def __init__(self, palette):
        self.palette = palette

    def escape(self, text):
        return text.replace("&", "&amp;").replace("<", "&lt;")

    def render(self, team, text):
        return str(Span(self.escape(text), self.palette[team.lower()]))


class BoardNode(GraphBusNode):

    def __init__(self):
        super().__init__()
        self._renderer = Renderer(Palette())

    @subscribe("/board/post")
    def post(self, team: str, text: str) -> dict:
        return {"html": self._renderer.render(team, text)}
