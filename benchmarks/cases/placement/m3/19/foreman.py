import logging

from graphbus_core import GraphBusNode, subscribe

LEVELS = {"quiet": logging.ERROR, "normal": logging.INFO, "talk": logging.DEBUG}


class ForemanPanel(GraphBusNode):
    @subscribe("/Panel/Noise")
    def noise(self, word: str) -> int:
        level = LEVELS.get(word, logging.INFO)
        logging.getLogger("pressroom").setLevel(level)
        return level
