# stateful
"""A correction is judged by the article kept in the shelf behind the archive protocol."""
from dataclasses import dataclass, field, replace
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Article:
    number: int
    text: str
    version: int = 1


class Archive(Protocol):
    def put(self, article: Article) -> None: ...

    def get(self, number: int) -> Article | None: ...


@dataclass
class Shelf:
    rows: dict[int, Article] = field(default_factory=dict)

    def put(self, article: Article) -> None:
        self.rows[article.number] = article

    def get(self, number: int) -> Article | None:
        return self.rows.get(number)


@dataclass(frozen=True)
class Editor:
    archive: Archive

    def correct(self, number: int, wrong: str, right: str) -> tuple[str, int]:
        article = self.archive.get(number)
        if article is None:
            return "article not found", 0
        if wrong not in article.text:
            return "passage not found", article.version
        better = replace(article, text=article.text.replace(wrong, right), version=article.version + 1)
        self.archive.put(better)
        return better.text, better.version


class CorrectionDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._editor = Editor(Shelf())

    @subscribe("/Paper/Published")
    def on_published(self, number: int, text: str) -> dict[str, object]:
        self._editor.archive.put(Article(number, text.strip()))
        return {"number": number, "characters": len(text.strip())}

    @subscribe("/Paper/Corrections")
    def on_correction(self, number: int, wrong: str, right: str) -> dict[str, object]:
        result, version = self._editor.correct(number, wrong, right)
        return {"number": number, "result": result, "version": version}
