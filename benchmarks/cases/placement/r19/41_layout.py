# stateful
"""The page is frozen and copied with replace(), yet all copies share the column lists of the one blank page."""
from dataclasses import dataclass, replace
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Block(Protocol):
    def height(self) -> int: ...


@dataclass(frozen=True)
class Text:
    characters: int

    def height(self) -> int:
        return -(-self.characters // 38)


@dataclass(frozen=True)
class Photo:
    portrait: bool

    def height(self) -> int:
        return 24 if self.portrait else 14


@dataclass(frozen=True)
class Page:
    title: str
    columns: tuple[list[int], ...]
    lines: int = 90

    def shortest(self) -> int:
        return min(range(len(self.columns)), key=lambda number: sum(self.columns[number]))

    def place(self, block: Block) -> int:
        number = self.shortest()
        self.columns[number].append(block.height())
        return number + 1

    def overset(self) -> int:
        return sum(max(0, sum(column) - self.lines) for column in self.columns)


BLANK = Page(title="", columns=([], [], [], []))


class LayoutDesk(GraphBusNode):
    @subscribe("/Paper/Stories")
    def on_story(self, title: str, characters: int, photos: list[bool]) -> dict[str, object]:
        page = replace(BLANK, title=title.upper())
        blocks: list[Block] = [Photo(portrait) for portrait in photos] + [Text(characters)]
        placed = [page.place(block) for block in blocks]
        return {"title": page.title, "columns": placed, "overset": page.overset()}
