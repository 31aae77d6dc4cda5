# pure
"""Visitors walk over the tree of the event; what they collect they collect in a visitor made for it."""
from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field
from typing import Any

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Node:
    kind: str
    text: str = ""
    children: list[Node] = field(default_factory=list)

    @classmethod
    def load(cls, data: dict[str, Any]) -> Node:
        return cls(str(data.get("kind", "text")), str(data.get("text", "")), [cls.load(c) for c in data.get("children", ())])

    def accept(self, visitor: Visitor) -> str:
        method = getattr(visitor, f"visit_{self.kind}", visitor.generic)
        return method(self)


class Visitor(ABC):
    def generic(self, node: Node) -> str:
        return node.text + "".join(child.accept(self) for child in node.children)


class Plain(Visitor):
    def visit_image(self, node: Node) -> str:
        return f"[{node.text}]"

    def visit_paragraph(self, node: Node) -> str:
        return self.generic(node) + "\n"


class Markdown(Plain):
    def __init__(self) -> None:
        self.footnotes: list[str] = []

    def visit_bold(self, node: Node) -> str:
        return f"**{self.generic(node)}**"

    def visit_heading(self, node: Node) -> str:
        return f"# {self.generic(node)}\n"

    def visit_note(self, node: Node) -> str:
        self.footnotes.append(self.generic(node))
        return f"[^{len(self.footnotes)}]"

    def finish(self) -> str:
        return "".join(f"\n[^{n}]: {text}" for n, text in enumerate(self.footnotes, 1))


class RichText(GraphBusNode):
    FORMATS = {"plain": Plain, "markdown": Markdown}

    @subscribe("/Article/Export")
    def on_export(self, article: int, target: str, tree: dict[str, Any]) -> dict[str, object]:
        visitor = self.FORMATS.get(target, Plain)()
        text = Node.load(tree).accept(visitor)
        if isinstance(visitor, Markdown):
            text += visitor.finish()
        return {"article": article, "text": text, "length": len(text)}
