from __future__ import annotations

from functools import partial

from graphbus_core import GraphBusNode, subscribe

import world


def _mask(word: str, text: str) -> str:
    return text.replace(word, "*" * len(word))


class ChatRoom(GraphBusNode):
    @subscribe("/Chat/Say")
    def on_say(self, who: str, text: str) -> str:
        return f"{who}: {world.hear(text)}"


class Moderator(GraphBusNode):
    @subscribe("/Chat/Ban")
    def on_ban(self, word: str) -> dict[str, str]:
        world.LISTENERS.insert(0, partial(_mask, word))
        return {"banned": word}


class Emotes(GraphBusNode):
    VERBS = {"w": "waves", "b": "bows", "d": "dances with {0}"}

    @subscribe("/Chat/Emote")
    def on_emote(self, who: str, code: str, target: str) -> str:
        verb = self.VERBS.get(code, "shrugs").format(target or "nobody")
        return _mask("damn", f"{who} {verb}")
