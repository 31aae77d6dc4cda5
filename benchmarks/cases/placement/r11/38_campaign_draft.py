# stateful
"""Makes drafts with dataclasses.replace, which copies the prototype's list by reference, so drafts share their tags."""
from dataclasses import dataclass, field, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Draft:
    title: str = "Untitled"
    channel: str = "mail"
    tags: list[str] = field(default_factory=list)
    budget: int = 0

    def tagged(self, *tags: str) -> "Draft":
        for tag in tags:
            if tag not in self.tags:
                self.tags.append(tag)
        return self


_PROTOTYPES = {
    "sale": Draft(channel="mail", tags=["sale"], budget=500),
    "launch": Draft(channel="social", tags=["launch", "brand"], budget=2_000),
}
_BLANK = Draft()


def _season(month: int) -> str:
    return ("winter", "spring", "summer", "autumn")[month % 12 // 3]


class CampaignDraft(GraphBusNode):
    @subscribe("/Campaign/New")
    def on_new(self, kind: str, title: str, month: int, extra: list[str]) -> dict:
        prototype = _PROTOTYPES.get(kind, _BLANK)
        draft = replace(prototype, title=title.strip().capitalize(), budget=prototype.budget + 100 * len(extra))
        draft = draft.tagged(_season(month), *sorted(extra))
        return {"title": draft.title, "channel": draft.channel, "tags": ",".join(draft.tags), "budget": draft.budget}
