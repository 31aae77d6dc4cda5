from textwrap import wrap

from graphbus_core import GraphBusNode, subscribe

import settings
from codes import bins, check_digit

KNOWN_BINS = frozenset(bins())


class LabelNode(GraphBusNode):
    WIDTH = 20

    @subscribe("/Label")
    def on_label(self, article: str, text: str, bin_name: str) -> dict:
        digits = "".join(c for c in article if c.isdigit())
        lines = wrap(text, self.WIDTH) or [""]
        lines.append(f"{digits}-{check_digit(digits)}".rjust(self.WIDTH))
        lines.append(settings.SITE.center(self.WIDTH, "*"))
        return {"lines": lines, "bin_ok": bin_name in KNOWN_BINS}
