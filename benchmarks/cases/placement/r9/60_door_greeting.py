# stateful
"""Installs a translation into builtins for known languages and leaves the last one there for the unknown."""
import gettext

from graphbus_core import GraphBusNode, subscribe


class Catalog(gettext.NullTranslations):
    def __init__(self, words: dict[str, str]) -> None:
        super().__init__()
        self._words = words

    def gettext(self, message: str) -> str:
        return self._words.get(message, message)


CATALOGS = {
    "de": Catalog({"Welcome": "Willkommen", "Your room": "Ihr Zimmer", "floor": "Etage"}),
    "fr": Catalog({"Welcome": "Bienvenue", "Your room": "Votre chambre", "floor": "étage"}),
    "en": Catalog({}),
}
CATALOGS["en"].install()


def speak(language: str) -> None:
    short = language.replace("_", "-").split("-")[0].lower()
    if short in CATALOGS:
        CATALOGS[short].install()


class DoorGreeting(GraphBusNode):
    @subscribe("/Hotel/CheckIn")
    def on_check_in(self, guest: str, language: str, room: int) -> dict[str, str]:
        speak(language)
        floor = room // 100
        return {
            "line1": f"{_('Welcome')}, {guest}",
            "line2": f"{_('Your room')}: {room} ({_('floor')} {floor})",
        }
