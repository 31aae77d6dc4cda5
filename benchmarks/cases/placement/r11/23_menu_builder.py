# pure
"""Joins constant menu parts with sum() and +, which make new lists; the constants are never changed."""
from itertools import chain, zip_longest

from graphbus_core import GraphBusNode, subscribe

BASE = [("Home", "/"), ("Search", "/search")]
SECTIONS = {
    "shop": [("Cart", "/cart"), ("Orders", "/orders")],
    "blog": [("Posts", "/posts")],
    "admin": [("Users", "/users"), ("Audit", "/audit"), ("Jobs", "/jobs")],
}
FOOTER = (("Imprint", "/imprint"), ("Privacy", "/privacy"))


def _entries(sections: list[str]) -> list[tuple[str, str]]:
    wanted = [SECTIONS[name] for name in sections if name in SECTIONS]
    entries = sum(wanted, BASE)
    entries += FOOTER if wanted else ()
    return entries


def _entries_safe(sections: list[str]) -> list[tuple[str, str]]:
    """An empty choice must not hand out the constant itself."""
    known = [name for name in sections if name in SECTIONS]
    return _entries(known) if known else list(BASE)


def _columns(entries: list[tuple[str, str]], width: int) -> list[list[str]]:
    titles = iter(title for title, _ in entries)
    return [[t for t in row if t] for row in zip_longest(*[titles] * width)]


class MenuBuilder(GraphBusNode):
    @subscribe("/Site/Menu")
    def on_menu(self, user: str, sections: list[str], prefix: str) -> dict:
        entries = _entries_safe(sections)
        entries.insert(0, (f"Hello {user.title()}", "/me"))
        links = {title: prefix.rstrip("/") + path for title, path in entries}
        letters = "".join(dict.fromkeys(chain.from_iterable(title[:1] for title in links)))
        return {"links": links, "columns": _columns(entries, 3), "keys": letters}
