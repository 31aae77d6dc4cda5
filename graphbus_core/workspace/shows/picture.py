"""The whole project as one picture: components as cards, methods as rows, fields as ports, links from field to field.

The server lays it out, so that a page draws its first picture without computing anything. It knows no page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphbus_core.contracts.reading.wording import annotation
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link, Mismatch
from graphbus_core.shown import shortened
from graphbus_core.workspace.shows.layout import COLUMN, layout

CARD_WIDTH, GAP_X, GAP_Y = 260, 180, 36  # in points of the page at its natural size
HEAD, ROW, PORT, FOOT = 34, 24, 20, 8  # heights of a card's parts
TYPE_TEXT = 60  # characters of a type that a port shows
WHOLE_TEXT = 4_000  # of one that is written into a source by a click
# Types that read well and cannot stand in a source: an object written out inside of another type, and bounds.
UNWRITABLE = re.compile(r"\[[^\[\]]*\{|\|\s*\{|\}\s*\||Annotated\[")


def picture(
    agents: Sequence[AgentDefinition], links: Sequence[Link], wrong: Iterable[Mismatch], order: Sequence[str]
) -> dict[str, Any]:
    """Cards with their places, and links with what is wrong with each."""
    mismatches = {one.link.id: one for one in wrong}
    known = {agent.name: agent for agent in agents}
    # Drawn before cards are placed, since the columns follow from who feeds whom.
    drawn = [_link(one, known, mismatches.get(one.id)) for one in _once(links)]
    edges = [(one["source"]["node"], one["target"]["node"]) for one in drawn]
    needs = [(needed, a.name) for a in agents for needed in a.depends_on if needed in known]
    cards = [_card(agent) for agent in agents]
    _place(cards, layout(order, [*edges, *needs]))
    return {"components": cards, "links": drawn, "mismatches": len(mismatches), "order": list(order)}


def _once(links: Iterable[Link]) -> Iterable[Link]:
    return {one.id: one for one in links}.values()


def _card(agent: AgentDefinition) -> dict[str, Any]:
    methods = [
        {
            "name": m.name,
            "inputs": ports(m.input_schema.json_schema if m.input_schema else None),
            "outputs": ports(m.output_schema.json_schema if m.output_schema else None),
            "declared": m.input_schema is not None or m.output_schema is not None,
        }
        for m in agent.methods
    ]
    topics = [
        {"topic": p.topic.name, "ports": ports(p.schema.json_schema if p.schema else None)} for p in agent.publications
    ]
    hears = [{"topic": s.topic.name, "handler": s.handler_name} for s in agent.subscriptions]
    return {
        "name": agent.name,
        "module": agent.module,
        "source_file": agent.source_file,
        "is_arbiter": agent.is_arbiter,
        "methods": methods,
        "publishes": topics,
        "hears": hears,
        "x": 0,
        "y": 0,
        "width": CARD_WIDTH,
        "height": _height(methods, topics, hears),
    }


def _height(methods: Sequence[Mapping[str, Any]], topics: Sequence[Mapping[str, Any]], hears: Sequence[Any]) -> int:
    rows = sum(ROW + PORT * max(len(m["inputs"]), len(m["outputs"])) for m in methods)
    rows += sum(ROW + PORT * len(t["ports"]) for t in topics)
    return HEAD + rows + ROW * len(hears) + FOOT


def ports(schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The fields of an object's schema, in the order in which they are declared."""
    properties = (schema or {}).get("properties")
    if not isinstance(properties, Mapping):
        return []
    required = set((schema or {}).get("required") or ())
    return [_port(str(name), one, name in required) for name, one in properties.items()]


def _port(name: str, schema: Any, required: bool) -> dict[str, Any]:
    whole = annotation(schema)
    cut = short(whole)
    is_cut = cut != whole and len(whole) <= WHOLE_TEXT and not UNWRITABLE.search(whole)
    return {"name": name, "type": cut, "required": required, "whole": whole if is_cut else None}


def short(text: str) -> str:
    """A type in the words of an annotation, cut to what a port has room for."""
    if "{" in text:  # an object written out says too much for a port: the inspector shows it whole
        text = f"{text[: text.index('{')]}{{…}}{text[text.rindex('}') + 1 :]}"
    return shortened(text, TYPE_TEXT)


def _link(link: Link, known: Mapping[str, AgentDefinition], wrong: Mismatch | None) -> dict[str, Any]:
    told = wrong.to_dict() if wrong else {}
    state = "guessed" if link.guessed else "fits"
    if wrong is not None:
        # Undecided is told apart from broken: nobody has shown a payload.
        state = "undecided" if told.get("compatible") is None else "broken"
    paths = [str(path) for path in told.get("paths", ())]
    return {
        "id": link.id,
        "source": dict(vars(link.producer)),
        "target": dict(vars(link.consumer)),
        "origin": link.origin.value,
        "evidence": list(link.evidence),
        "guessed": link.guessed,
        "state": state,
        # The first part of a path: a port is a field, and what is wrong below it is wrong with it.
        "fields": _fields(link, known, {path.replace("[]", "").split(".")[0] for path in paths}),
        "reasons": [str(one) for one in told.get("reasons", ())],
        "paths": paths,
        "counterexample": told.get("counterexample"),
    }


def _fields(link: Link, known: Mapping[str, AgentDefinition], broken: set[str]) -> list[dict[str, Any]]:
    """Which field of the producer feeds which of the consumer; null stands for a field that nobody sends."""
    sent = {one["name"] for one in _ends(link.producer, known, "output_schema")}
    taken = _ends(link.consumer, known, "input_schema")
    fed = {to: source for source, to in link.feeds if source and to}
    pairs = []
    # What links say feeds it goes before a field of the same name.
    for port in taken:
        name = port["name"]
        source = fed.get(name, name if name in sent else None)
        if source is None and name not in broken:
            continue  # optional, or from elsewhere: nothing to draw
        pairs.append({"source": source, "target": name, "fits": name not in broken})
    return pairs


def _ends(end: Endpoint, known: Mapping[str, AgentDefinition], side: str) -> list[dict[str, Any]]:
    agent = known.get(end.node)
    if agent is None:
        return []
    if end.topic and side == "output_schema":
        said = next((p for p in agent.publications if p.topic.name == end.topic), None)
        return ports(said.schema.json_schema) if said and said.schema else []
    method = agent.method(end.method or "")
    schema = getattr(method, side, None) if method else None
    return ports(schema.json_schema) if schema else []


def _place(cards: Sequence[dict[str, Any]], places: Mapping[str, tuple[float, float]]) -> None:
    """Stack the cards of each column by their real heights, in the order that the layers give."""
    by_name = {card["name"]: card for card in cards}
    columns: dict[int, list[str]] = {}
    for name, (x, _) in sorted(places.items(), key=lambda one: one[1][1]):
        if name in by_name:
            columns.setdefault(round(x / COLUMN), []).append(name)
    heights = {column: sum(by_name[n]["height"] + GAP_Y for n in names) for column, names in columns.items()}
    tallest = max(heights.values(), default=0)
    for column, names in columns.items():
        # Each column is centred, so that a short one stands beside the middle of a long one.
        y = (tallest - heights[column]) // 2
        for name in names:
            by_name[name]["x"], by_name[name]["y"] = column * (CARD_WIDTH + GAP_X), y
            y += by_name[name]["height"] + GAP_Y
