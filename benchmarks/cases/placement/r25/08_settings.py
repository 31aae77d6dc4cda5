# stateful
"""Keeps the options of earlier requests in the first map of a ChainMap, where update() writes."""
import json
import shlex
from collections import ChainMap
from string import Template
from types import SimpleNamespace

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = json.loads('{"format": "pdf", "pages": "all", "copies": "1", "colour": "no"}')
SITE = {"printer": "lobby", "colour": "yes"}
LINE = Template("lp -d $printer -n $copies -o pages=$pages -o colour=$colour ($format)")


def parse(text: str) -> SimpleNamespace:
    pairs = (word.partition("=")[::2] for word in shlex.split(text))
    return SimpleNamespace(options={k: v for k, v in pairs if v})


class PrintOptions(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.options = ChainMap({}, SITE, DEFAULTS)

    @subscribe("/printing/options")
    def on_options(self, options: str) -> dict[str, str]:
        request = parse(options)
        merged = self.options
        merged.update(request.options)
        return {"command": LINE.safe_substitute(merged)}
