from dataclasses import dataclass, field


@dataclass
class Item:
    title: str
    cents: int
    tags: list[str] = field(default_factory=list)

    def tagged(self, extra: str) -> list[str]:
        out = list(self.tags)
        if extra not in out:
            out.append(extra)
        return out

    def label(self) -> str:
        return self.title + " [" + ",".join(self.tags) + "]"


ITEMS = {
    "A1": Item("Mug", 900, ["kitchen"]),
    "B2": Item("Lamp", 4900, ["home", "light"]),
    "C3": Item("Chair", 12900, ["home"]),
}
