"""Names and lines of the address book."""


def split_name(name):
    """Return (given, family)."""
    given, _, family = name.strip().rpartition(" ")
    return given, family


def sort_key(name):
    given, family = split_name(name)
    return family.lower(), given.lower()


class Line:
    """A content line of a card: KEY:value"""

    def __init__(self, key, value):
        self.key = key.upper()
        self.value = value

    def text(self):
        escaped = self.value.replace("\\", "\\\\").replace(",", "\\,")
        return f"{self.key}:{escaped}"


def card(contact):
    """Return the card of a contact as text."""
    lines = [Line("begin", "CARD"), Line("fn", contact["name"])]
    lines += [Line("note", note) for note in contact.get("notes", ())]
    lines.append(Line("end", "CARD"))
    return "\r\n".join(line.text() for line in lines) + "\r\n"
