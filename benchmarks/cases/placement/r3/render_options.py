# pure
from collections import ChainMap
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = MappingProxyType({"width": 80, "theme": "light", "margin": 4})
THEMES = {"dark": {"ink": "white"}, "light": {"ink": "black"}}


class RenderOptions(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.site = {"margin": 2, "font": "serif"}

    @subscribe("/Render/Asked")
    def on_asked(self, payload):
        options = ChainMap({}, self.site, DEFAULTS)
        options.update(payload.get("options", {}))
        options = options.new_child(THEMES.get(options["theme"], {}).copy())
        options["width"] -= 2 * options["margin"]
        self.publish("/Render/Options", {k: options[k] for k in sorted(options)})
