# pure
from graphbus_core import GraphBusNode, subscribe


def roman(n, table=[(10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")], out=None):
    out = out or []
    for value, sign in table:
        if n >= value:
            out.append(sign)
            return roman(n - value, table, out)
    return "".join(out)


def page_label(page, front=8, special={0: "cover", 1: "imprint"}):
    if page in special:
        return special[page]
    return roman(page) if page <= front else str(page - front)


class PageLabels(GraphBusNode):
    @subscribe("/Book/Pages")
    def on_pages(self, payload):
        first, last = payload["first"], payload["last"]
        labels = [page_label(p, payload.get("front", 8)) for p in range(first, last + 1)]
        self.publish("/Book/Labels", {"labels": labels})
