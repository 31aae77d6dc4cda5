"""pydantic model whose fields are asked for by alias only."""
from typing import Optional

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Repo(BaseModel):
    full_name: str = Field(alias="fullName")
    is_private: bool = Field(default=False, alias="private")


class PushEvent(BaseModel):
    ref: str
    repo: Repo = Field(..., alias="repository")
    head: Optional[str] = Field(None, alias="headCommit", min_length=7)
    class_: str = Field(alias="class")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: PushEvent) -> None:
        self.got = payload


GOOD = [
    {"ref": "main", "repository": {"fullName": "a/b"}, "class": "x"},
    {"ref": "main", "repository": {"fullName": "a/b", "private": True}, "headCommit": "abcdef0", "class": "x"},
    {"ref": "main", "repository": {"fullName": "a/b"}, "headCommit": None, "class": "x"},
]
BAD = [
    {"ref": "main", "repo": {"fullName": "a/b"}, "class": "x"},
    {"ref": "main", "repository": {"full_name": "a/b"}, "class": "x"},
    {"ref": "main", "repository": {"fullName": "a/b"}, "class_": "x"},
    {"ref": "main", "repository": {"fullName": "a/b"}, "headCommit": "abc", "class": "x"},
    {"ref": "main", "repository": "a/b", "class": "x"},
]
