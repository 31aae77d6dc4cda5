# stateful
"""Adds endings to the type table of the standard library."""
import mimetypes
from pathlib import PurePosixPath

from graphbus_core import GraphBusNode, subscribe

STORES = {"image": "cold room", "audio": "tape vault", "text": "stacks"}


def accept(ending: str, kind: str) -> bool:
    main, _, _ = kind.partition("/")
    if main not in STORES or not ending.startswith("."):
        return False
    mimetypes.add_type(kind, ending, strict=True)
    return True


def store_of(path: PurePosixPath) -> tuple[str, str]:
    kind, _ = mimetypes.guess_type(path.name)
    main = (kind or "unknown/unknown").split("/")[0]
    return kind or "unknown", STORES.get(main, "sorting desk")


class Archive(GraphBusNode):
    @subscribe("/Rule")
    def on_rule(self, ending: str, kind: str) -> dict[str, object]:
        return {"ending": ending, "accepted": accept(ending, kind)}

    @subscribe("/Item")
    def on_item(self, path: str) -> dict[str, str]:
        item = PurePosixPath(path)
        kind, store = store_of(item)
        return {"item": item.stem, "kind": kind, "store": store}
