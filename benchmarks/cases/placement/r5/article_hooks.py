# stateful
"""Keeps callbacks: an author's embargo registers one more hook on a shared signal, and later articles pass through it."""
from dataclasses import dataclass, field
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Article:
    title: str
    author: str
    tags: list[str]
    held: list[str] = field(default_factory=list)


class Signal:
    def __init__(self) -> None:
        self.receivers: list[Callable[[Article], None]] = []

    def connect(self, receiver: Callable[[Article], None]) -> Callable[[Article], None]:
        self.receivers.append(receiver)
        return receiver

    def send(self, article: Article) -> None:
        for receiver in self.receivers:
            receiver(article)


before_publish = Signal()


@before_publish.connect
def needs_tags(article: Article) -> None:
    if not article.tags:
        article.held.append("no tags")


def embargo(tag: str, reason: str) -> None:
    @before_publish.connect
    def check(article: Article) -> None:
        if tag in article.tags:
            article.held.append(reason)


class ArticleHooks(GraphBusNode):
    """Decides whether an article may appear."""

    @subscribe("/Desk/Embargo")
    def on_embargo(self, tag: str, reason: str) -> str:
        embargo(tag.lower(), reason)
        return f"embargo on {tag.lower()}"

    @subscribe("/Desk/Article")
    def on_article(self, title: str, author: str, tags: list[str]) -> dict[str, object]:
        article = Article(title, author, [tag.lower() for tag in tags])
        before_publish.send(article)
        return {"title": title, "published": not article.held, "held": article.held}
