# pure
"""Keeps nothing: a logger object outside the logging tree, with its own level, is made for each event."""
import io
import logging
import re

from graphbus_core import GraphBusNode, subscribe

SECRET = re.compile(r"(?P<key>password|token)=(?P<value>\S+)", re.IGNORECASE)
NAMES = {"D": logging.DEBUG, "I": logging.INFO, "W": logging.WARNING, "E": logging.ERROR}
FORMAT = logging.Formatter("%(levelname)-7s %(name)s: %(message)s")


class Redact(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = 0

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, found = SECRET.subn(r"\g<key>=***", str(record.msg))
        self.hidden += found
        return True


def make_logger(name: str, level: int) -> tuple[logging.Logger, io.StringIO, Redact]:
    stream, redact = io.StringIO(), Redact()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMAT)
    handler.addFilter(redact)
    logger = logging.Logger(name, level)
    logger.addHandler(handler)
    return logger, stream, redact


class LogFormatting(GraphBusNode):
    """Renders raw lines like 'E disk full' as the console would show them."""

    @subscribe("/Console/Lines")
    def on_lines(self, source: str, threshold: str, lines: list[str]) -> dict[str, object]:
        logger, stream, redact = make_logger(source, NAMES.get(threshold, logging.INFO))
        for line in lines:
            letter, _, text = line.partition(" ")
            logger.log(NAMES.get(letter, logging.INFO), text)
        return {"text": stream.getvalue(), "hidden": redact.hidden}
