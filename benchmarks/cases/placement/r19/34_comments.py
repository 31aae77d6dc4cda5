# stateful
"""One of the moderation rules remembers who wrote the comment before."""
from dataclasses import dataclass
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Comment:
    author: str
    text: str


class Rule(Protocol):
    def __call__(self, comment: Comment) -> int: ...


@dataclass(frozen=True)
class Shouting:
    share: float = 0.6

    def __call__(self, comment: Comment) -> int:
        letters = [char for char in comment.text if char.isalpha()]
        loud = sum(char.isupper() for char in letters)
        return 3 if letters and loud / len(letters) > self.share else 0


@dataclass(frozen=True)
class Words:
    banned: frozenset[str]

    def __call__(self, comment: Comment) -> int:
        return 2 * len(self.banned & set(comment.text.lower().split()))


@dataclass
class Flooding:
    author: str = ""
    row: int = 0

    def __call__(self, comment: Comment) -> int:
        same = comment.author == self.author
        self.author, self.row = comment.author, self.row + 1 if same else 1
        return max(0, self.row - 1)


@dataclass(frozen=True)
class Moderation:
    rules: tuple[Rule, ...]

    def decide(self, comment: Comment) -> tuple[int, str]:
        points = sum(rule(comment) for rule in self.rules)
        return points, "hide" if points >= 4 else "review" if points >= 2 else "show"


class CommentDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._moderation = Moderation((Shouting(), Words(frozenset({"idiot", "liar"})), Flooding()))

    @subscribe("/Paper/Comments")
    def on_comment(self, author: str, text: str) -> dict[str, object]:
        points, decision = self._moderation.decide(Comment(author.strip(), text))
        return {"author": author, "points": points, "decision": decision}
