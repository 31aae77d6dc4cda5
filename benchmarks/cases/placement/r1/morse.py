# pure
from graphbus_core import GraphBusNode, subscribe

CODE = {"e": ".", "t": "-", "a": ".-", "s": "...", "o": "---"}


class Morse(GraphBusNode):
    @subscribe("/Telegram/Text")
    def on_text(self, payload):
        beats = 0

        def key(letter):
            nonlocal beats
            signs = CODE.get(letter, "")
            beats += sum(3 if s == "-" else 1 for s in signs)
            return signs

        line = " ".join(map(key, payload["text"]))
        self.publish("/Telegram/Signs", {"line": line, "beats": beats})
