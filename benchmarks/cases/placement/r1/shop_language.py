# stateful
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

language = ContextVar("language", default="en")
HELLO = {"en": "Hello", "it": "Ciao", "nl": "Dag"}


def greeting():
    return HELLO[language.get()]


class ShopDoor(GraphBusNode):
    @subscribe("/Shop/LanguageChosen")
    def on_language(self, payload):
        language.set(payload["language"])

    @subscribe("/Shop/Entered")
    def on_entered(self, payload):
        self.publish("/Shop/Say", {"text": f"{greeting()}, {payload['name']}"})
