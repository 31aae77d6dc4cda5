# stateful
import sys

from graphbus_core import GraphBusNode, subscribe

TRUSTED_DEPTH = 20_000


def depth_of(text, pos=0):
    """Return (depth, position behind the closing bracket)."""
    if pos >= len(text) or text[pos] != "(":
        return 0, pos
    inner, pos = depth_of(text, pos + 1)
    if pos >= len(text) or text[pos] != ")":
        raise ValueError("unbalanced")
    return inner + 1, pos + 1


class BracketDepth(GraphBusNode):
    @subscribe("/Expr/Received")
    def on_expr(self, payload):
        if payload.get("trusted"):
            # our own compiler makes very deep trees
            sys.setrecursionlimit(TRUSTED_DEPTH)
        try:
            depth, _ = depth_of(payload["text"])
        except RecursionError:
            self.publish("/Expr/Refused", {"why": "too deep"})
        except ValueError as exc:
            self.publish("/Expr/Refused", {"why": str(exc)})
        else:
            self.publish("/Expr/Depth", {"depth": depth})
