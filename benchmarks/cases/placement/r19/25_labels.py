# stateful
"""The blank label is taken by reference and not as a copy, so lines of earlier objects stay on it."""
from graphbus_core import GraphBusNode, subscribe

BLANK = {"title": "untitled", "date": "undated", "artist": "unknown artist"}
ORDER = ["artist", "title", "date", "material", "credit"]
WIDTH = 30


def fill(title, artist, date, extra):
    label = BLANK
    if title:
        label["title"] = title
    if artist:
        label["artist"] = artist
    if date:
        label["date"] = date
    for key in extra:
        if key in ORDER:
            label[key] = extra[key]
    return label


def set_lines(label):
    lines = []
    for key in ORDER:
        if key not in label:
            continue
        text = label[key]
        if key == "title":
            text = "<i>" + text + "</i>"
        if len(text) > WIDTH:
            text = text[:WIDTH - 3] + "..."
        lines.append(text)
    return lines


class LabelPrinter(GraphBusNode):
    @subscribe("/Museum/Labels")
    def on_label(self, title: str, artist: str, date: str, extra: dict[str, str]) -> dict[str, object]:
        label = fill(title, artist, date, extra)
        return {"lines": set_lines(label), "copies": 2 if "credit" in label else 1}
