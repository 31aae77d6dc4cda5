# stateful
"""Keeps a growing substitution table, because str.translate calls __missing__ of the dictionary it is given."""
import string

from graphbus_core import GraphBusNode, subscribe


class Cipher(dict[int, str]):
    """Letters get stand-ins, everything else stays."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if not char.isalpha():
            return char
        position = len(self) % len(string.ascii_uppercase)
        return self.setdefault(code, string.ascii_uppercase[position])


_TABLE = Cipher()


class Anonymiser(GraphBusNode):
    @subscribe("/Export/Name")
    def on_event(self, record: int, name: str) -> dict[str, object]:
        return {"record": record, "name": name.casefold().translate(_TABLE)}
