from graphbus_core import GraphBusNode, subscribe

from defaults import DEFAULTS


class PreviewNode(GraphBusNode):
    @subscribe("/Preview")
    def on_text(self, text: str) -> dict:
        look = DEFAULTS["editor"]
        colours = DEFAULTS["colours"]
        style = f"{look['size']}pt {look['font']}; {colours['text']} on {colours['paper']}"
        return {"html": f'<p style="{style}">{text}</p>'}
