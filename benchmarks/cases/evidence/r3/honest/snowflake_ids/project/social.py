from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Post(TypedDict):
    post_id: str
    text: str


class Link(TypedDict):
    url: str


class Timeline(GraphBusNode):
    POSTS = {"ada": ("0041", "notes on the engine"), "alan": ("1936", "on computable numbers")}

    @schema_method
    def latest(self, who: str) -> Post:
        post_id, text = self.POSTS[who]
        return {"post_id": post_id, "text": text}


class Linker(GraphBusNode):
    base = "https://social.test/p/"

    @depends_on("Timeline.latest")
    @schema_method
    def link(self, post_id: int) -> Link:
        return {"url": f"{self.base}{post_id}"}
