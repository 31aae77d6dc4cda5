# stateful
"""Each headline registers its address in a class variable, and a headline that comes again gets a number behind it."""
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from graphbus_core import GraphBusNode, subscribe


class Addressable(Protocol):
    slug: str

    def url(self) -> str: ...


@dataclass
class Headline:
    text: str
    section: str
    slug: str = field(init=False)

    used: ClassVar[dict[str, int]] = {}

    def __post_init__(self) -> None:
        words = "".join(char if char.isalnum() else " " for char in self.text.lower()).split()
        base = "-".join(word for word in words if len(word) > 2)[:40]
        times = self.used.get(base, 0)
        self.used[base] = times + 1
        self.slug = base if times == 0 else f"{base}-{times + 1}"

    def url(self) -> str:
        return f"/{self.section}/{self.slug}"


@dataclass(frozen=True)
class Canonical:
    target: Addressable

    def tag(self) -> str:
        return f'<link rel="canonical" href="{self.target.url()}">'


class UrlMaker(GraphBusNode):
    @subscribe("/Paper/Headlines")
    def on_headline(self, text: str, section: str) -> dict[str, str]:
        headline = Headline(text, section.lower())
        return {"url": headline.url(), "tag": Canonical(headline).tag()}
