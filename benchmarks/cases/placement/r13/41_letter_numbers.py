# stateful
"""A function attribute counts the enclosures."""
from graphbus_core import GraphBusNode, subscribe


def enclosure(label: str) -> str:
    enclosure.last = chr((ord(getattr(enclosure, "last", "@")) - 64) % 26 + 65)
    return f"Enclosure {enclosure.last}: {label}"


def greeting(name: str, formal: bool) -> str:
    return f"Dear {name}" if formal else f"Hello {name.split()[0]}"


class EnclosureLetters(GraphBusNode):
    closings = {True: "Yours faithfully", False: "Kind regards"}

    @subscribe("/Letters/Enclosures")
    def compose(self, name: str, documents: list[str], formal: bool) -> dict[str, str]:
        parts = [greeting(name, formal)]
        parts.extend(map(enclosure, documents))
        parts.append(self.closings[formal])
        return {"letter": "\n".join(parts)}
