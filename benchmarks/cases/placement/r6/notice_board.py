# stateful
"""A logging filter lets each text through once, so what is printed depends on what was printed before."""
import logging
import sys

from graphbus_core import GraphBusNode, subscribe


class Quiet(logging.Filter):
    """Operators asked not to get the same line again and again."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        hits = self._texts[text] = self._texts.get(text, 0) + 1
        return hits == 1 or record.levelno >= logging.ERROR


def board_logger() -> logging.Logger:
    logger = logging.getLogger("board")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    handler.addFilter(Quiet())
    logger.addHandler(handler)
    return logger


class NoticeBoard(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._log = board_logger()

    @subscribe("/machine/reading")
    def on_reading(self, machine: str, celsius: float) -> None:
        if celsius > 90:
            self._log.error("%s overheated", machine)
        elif celsius > 70:
            self._log.warning("%s runs hot", machine)
        else:
            self._log.info("%s fine", machine)
