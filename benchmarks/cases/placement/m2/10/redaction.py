import re

from graphbus_core import GraphBusNode, subscribe


class Pseudonyms(dict):
    def __missing__(self, name: str) -> str:
        n, label = len(self), ""
        while n >= 0:
            n, letter = divmod(n, 26)
            label = chr(65 + letter) + label
            n -= 1
        self[name] = f"[{label}]"
        return self[name]


class Redaction(GraphBusNode):
    """Names of private persons become letters, numbers of accounts and files are blacked out."""

    def __init__(self) -> None:
        super().__init__()
        self.person = re.compile(r"\b(?:Mr|Mrs|Ms|Dr)\.? ([A-Z]\w+)")
        self.secret = re.compile(r"\b\d{6,}\b")

    @subscribe("/Court/Judgment/ToPublish")
    def redact(self, text: str) -> dict[str, object]:
        names = Pseudonyms()
        out = self.person.sub(lambda m: names[m[1]], text)
        for name, letter in names.items():
            out = re.sub(rf"\b{name}\b", letter, out)
        return {"text": self.secret.sub(lambda m: "\u2588" * len(m[0]), out), "persons": len(names)}
