"""Comments below a topic."""
from __future__ import annotations

from dataclasses import dataclass

from forum.templates import COMMENT, PAGE, fill


@dataclass(frozen=True)
class Comment:
    number: int
    author: str
    body: str

    def context(self) -> dict[str, object]:
        """The values for the template."""
        return {
            "number": self.number,
            "author": self.author.strip(),
            "body": self.body.strip(),
        }


def page(title: str, comments: list[Comment]) -> str:
    parts = [fill(PAGE, {"title": title})]
    parts += [fill(COMMENT, c.context()) for c in comments]
    return "\n".join(parts)
