# stateful
"""A dict subclass numbers every new address in __missing__, so the pseudonym depends on who came earlier."""
import re

from graphbus_core import GraphBusNode, subscribe

MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
CARD = re.compile(r"\b(?:\d{4}[ -]?){3}\d{4}\b")
BANNER = "[{team}] {priority}: "


class Aliases(dict):
    """Stable names for people we must not name."""

    def __init__(self, pattern: str) -> None:
        super().__init__()
        self.pattern = pattern

    def __missing__(self, key: str) -> str:
        return self.setdefault(key, self.pattern.format(len(self) + 1))


PEOPLE = Aliases("person-{:03d}")


def mask_card(match: re.Match) -> str:
    digits = re.sub(r"\D", "", match.group())
    return "*" * 12 + digits[-4:]


def mask_mail(match: re.Match) -> str:
    return PEOPLE[match.group().lower()]


class SupportRedactor(GraphBusNode):
    @subscribe("/Support/Ticket")
    def on_ticket(self, team: str, text: str, urgent: bool) -> dict[str, str]:
        clean = CARD.sub(mask_card, text)
        clean = MAIL.sub(mask_mail, clean)
        banner = BANNER.format(team=team.upper(), priority="high" if urgent else "normal")
        return {"text": banner + " ".join(clean.split())}
