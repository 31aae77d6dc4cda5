from typing import List, Literal, TypedDict, Union
from graphbus_core import GraphBusNode, subscribe


class Text(TypedDict):
    type: Literal["text"]
    text: str


class Image(TypedDict):
    type: Literal["image"]
    url: str
    size: tuple[int, int]


class Quote(TypedDict):
    type: Literal["quote"]
    of: "Part"


Part = Union[Text, Image, Quote]


class Chat(TypedDict):
    room: int
    parts: List[Part]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Chat) -> None: ...


GOOD = [
    {"room": 1, "parts": []},
    {"room": 1, "parts": [{"type": "text", "text": "hi"}, {"type": "image", "url": "u", "size": [1, 2]}]},
    {"room": 1, "parts": [{"type": "quote", "of": {"type": "quote", "of": {"type": "text", "text": "x"}}}]},
]
BAD = [
    {"room": 1, "parts": [{"type": "text", "url": "hi"}]},
    {"room": 1, "parts": [{"type": "image", "url": "u", "size": [1]}]},
    {"room": 1, "parts": [{"type": "quote", "of": {"type": "quote", "of": {"type": "video"}}}]},
    {"room": 1, "parts": ["hi"]},
    {"room": 1, "parts": {"type": "text", "text": "hi"}},
    {"parts": []},
]
