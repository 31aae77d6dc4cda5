"""The interactive view of a negotiation (Textual): rounds and proposals left, everything about one right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Header, Input, Static, Tree
from textual.widgets.tree import TreeNode

from graphbus_core.cli.negotiation_text import filter_proposals, list_parties, render_details, render_overview
from graphbus_core.text import escape_line, escape_text

MARKS = {"committed": "✓", "rejected": "✗", "deferred": "…", "unheard": "…", "dropped": "-", "superseded": "~"}


class NegotiationView(App[None]):
    """Keyboard throughout: arrows move, / searches, a p r o t step through filters, c clears them, q leaves."""

    TITLE = "GraphBus negotiation"
    CSS = """
    Tree { width: 45%; border-right: solid $accent; }
    #details { padding: 0 1; }
    #overview { padding: 0 1; background: $boost; }
    #search { display: none; }
    #search.shown { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search"),
        Binding("a", "step('agent')", "agent"),
        Binding("p", "step('party')", "party"),
        Binding("r", "step('round')", "round"),
        Binding("o", "step('outcome')", "outcome"),
        Binding("t", "step('type')", "type"),
        Binding("c", "clear", "clear"),
        Binding("e", "expand", "open all"),
        Binding("escape", "leave_search", "back", show=False),
        Binding("q", "quit", "quit"),
    ]

    def __init__(
        self, log: Mapping[str, Any], filters: Mapping[str, str] | None = None, search: str = "", damage: str = ""
    ) -> None:
        super().__init__()
        self.damage = damage  # what is wrong with the log, where it could be read in part only
        self.told = log
        self.filters = dict(filters or {})
        self.search_text = search

    def compose(self) -> ComposeResult:
        """Header, overview, tree beside details, search, footer."""
        yield Header()
        yield Static(id="overview", markup=False)
        with Horizontal():
            yield Tree("rounds", id="rounds")
            with VerticalScroll():
                yield Static(id="details", markup=False)
        yield Input(placeholder="search: Enter looks, Escape leaves", id="search", value=self.search_text)
        yield Footer()

    def on_mount(self) -> None:
        """Fill the tree and give it the keyboard."""
        self.tree_view.show_root = False
        self._fill()
        self.tree_view.focus()

    @property
    def tree_view(self) -> Tree[dict[str, Any] | None]:
        """The rounds."""
        return self.query_one("#rounds", Tree)

    def _fill(self) -> None:
        passing = filter_proposals(self.told, self.filters, self.search_text)
        filter_text = "  ".join(f"{k}={v}" for k, v in self.filters.items())
        filter_text += f"  search={self.search_text}" if self.search_text else ""
        head = render_overview(self.told) + (f"\nfilter: {escape_line(filter_text.strip())}" if filter_text else "")
        head += f"\ndamaged: {escape_text(self.damage)}" if self.damage else ""
        self.query_one("#overview", Static).update(head)
        tree = self.tree_view
        tree.clear()
        first: TreeNode[dict[str, Any] | None] | None = None
        for round in passing["rounds"]:
            node = tree.root.add(f"Round {round['round']}", expand=True)
            for p in round["proposals"]:
                leaf = node.add_leaf(
                    Text(escape_line(f"{MARKS.get(p['outcome'], '!')} {p['id']} {p['proposer']}: {p['summary']}")),
                    data=p,
                )
                first = first or leaf
        self.query_one("#details", Static).update("" if first else "Nothing passes the filter; c clears it.")
        if first is not None:
            self.call_after_refresh(tree.move_cursor, first)
            self._show(first.data)

    def _show(self, proposal: dict[str, Any] | None) -> None:
        if proposal is not None:
            self.query_one("#details", Static).update(render_details(proposal))

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[dict[str, Any] | None]) -> None:
        """The proposal under the cursor."""
        self._show(event.node.data)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Look for it."""
        self.search_text = event.value
        self.action_leave_search()
        self._fill()

    def action_search(self) -> None:
        """Open the search line."""
        field = self.query_one("#search", Input)
        field.add_class("shown")
        field.focus()

    def action_leave_search(self) -> None:
        """Close the search line."""
        self.query_one("#search", Input).remove_class("shown")
        self.tree_view.focus()

    def action_step(self, key: str) -> None:
        """The next value of a filter, and none after the last."""
        values = self._list_values(key)
        now = self.filters.get(key)
        following = values[0] if now not in values else [*values, None][values.index(str(now)) + 1]
        self.filters.pop(key, None)
        if following is not None:
            self.filters[key] = following
        self._fill()

    def _list_values(self, key: str) -> list[str]:
        """The values of a filter that this negotiation has."""
        filter_values: dict[str, None] = {}
        for round in self.told["rounds"]:
            for p in round["proposals"]:
                has = {"agent": [p["proposer"]], "party": list_parties(p), "round": [str(round["round"])]}
                filter_values |= dict.fromkeys(has.get(key) or [str(p[key])])
        return list(filter_values) or ["none"]

    def action_clear(self) -> None:
        """No filter, no search."""
        self.filters, self.search_text = {}, ""
        self.query_one("#search", Input).value = ""
        self._fill()

    def action_expand(self) -> None:
        """Open every round."""
        self.tree_view.root.expand_all()
