# stateful
"""Shallow copy of a template: the nested list of notes is the same object for all letters."""
import copy

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = {
    "salutation": "Dear customer",
    "paragraphs": [],
    "footer": {"lines": ["Yours sincerely", "Customer service"]},
}


def letter_for(name: str) -> dict:
    letter = copy.copy(TEMPLATE)
    if name:
        letter["salutation"] = f"Dear {name}"
    return letter


class CoverLetter(GraphBusNode):
    @subscribe("/Letters/Cover")
    def compose(self, name: str, covers: list[str], branch: str) -> dict[str, object]:
        letter = letter_for(name)
        letter["paragraphs"] = [f"You are covered for {c}." for c in covers]
        footer = letter["footer"]["lines"]
        if branch and branch not in footer:
            footer.append(branch)
        text = "\n".join([letter["salutation"], *letter["paragraphs"], *footer])
        return {"text": text, "lines": text.count("\n") + 1}
