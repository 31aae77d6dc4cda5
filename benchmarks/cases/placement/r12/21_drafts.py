# stateful
"""The default list of tags belongs to the named tuple class, and every draft without tags of its own appends to it."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

KEYWORDS = {
    "goal": "sports",
    "election": "politics",
    "storm": "weather",
    "shares": "business",
    "premiere": "culture",
}


class Draft(NamedTuple):
    author: str
    title: str
    body: str
    tags: list[str] = []

    @property
    def words(self) -> list[str]:
        return f"{self.title} {self.body}".lower().split()

    def tagged(self) -> "Draft":
        for word in self.words:
            tag = KEYWORDS.get(word.strip(".,!?"))
            if tag and tag not in self.tags:
                self.tags.append(tag)
        return self


def desk_for(draft: Draft) -> str:
    match draft.tags:
        case []:
            return "general"
        case [only]:
            return only
        case [first, *_]:
            return f"{first}+"


class DraftRouter(GraphBusNode):
    @subscribe("/Newsroom/Draft")
    def on_draft(self, author: str, title: str, body: str) -> dict[str, object]:
        draft = Draft(author=author, title=title, body=body).tagged()
        return {"author": author, "desk": desk_for(draft), "tags": list(draft.tags)}
