"""What an agent is shown beside its own card: the path that an intent needs, what is tabled, what competes.

An agent sees its neighbours (design §6.11), so that a round costs what its links cost. With an intent that is too
little: a field that travels four hops must fit into one proposal, and whoever proposes it must know all four. So
with an intent, and only then, the nearest agents along the links are shown as well, a bounded number of them. Of
proposals an agent sees those that it has a part in, and no others (seed 000). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.proposal.weighed.ground import Ground

# Each character is paid for in every question, by every agent.
SOURCES_MAX = 2_000  # characters of others' source that an intent brings with it
ALONG_MAX = 12  # agents beyond the neighbours that are shown with an intent
HOPS_MAX = 5  # how far along the links they may be
COMPETING_MAX = 6  # proposals that are told beside the one at hand
_WORD = re.compile(r"[a-z]{3,}")


def along(ground: Ground, agent: str, intent: str | None) -> list[dict[str, Any]]:
    """The cards beyond the neighbours that an intent may need: those that it names first, then the nearest."""
    # Without an intent nobody has to see beyond the neighbours, and a round costs what its links cost.
    if not intent:
        return []
    shown = {agent, *ground.neighbours(agent)}
    distance = _distances(ground, agent)
    beyond = [n for n in distance if n not in shown]
    return [_short(ground.card(n)) for n in ground.in_order(_nearest(ground, beyond, distance, intent)[:ALONG_MAX])]


def sources(ground: Ground, agent: str, intent: str | None) -> list[dict[str, Any]]:
    """The source of those around an agent that an intent may need, as much of it as SOURCES_MAX holds.

    A field that travels takes a change in each body that it passes, and nobody can write a body that he does not see.
    """
    if not intent:
        return []
    distance = _distances(ground, agent)
    shown, left = {}, SOURCES_MAX
    told = {ground.file(agent)}  # whose surroundings stand in the question already
    for name in _nearest(ground, [n for n in distance if n != agent], distance, intent):
        card = ground.card(name, own=True)
        # The text around a class is that of its file, and agents of one file share it.
        around = "" if card["file"] in told else str(card.get("around") or "")
        for text in (f"{around}\n\n{card['source']}" if around else card["source"], card["source"]):
            # Without its surroundings, if only that fits: a class alone is better than nothing.
            if len(text) <= left:
                shown[name] = {"name": name, "file": card["file"], "source": text}
                left -= len(text)
                told.add(card["file"])
                break
    return [shown[name] for name in ground.in_order(shown)]


def _distances(ground: Ground, agent: str) -> dict[str, int]:
    """Everybody within HOPS_MAX links of an agent, itself included, and how far away."""
    shown = {agent, *ground.neighbours(agent)}
    distance = dict.fromkeys(shown, 1)
    edge, hops = sorted(shown), 1
    while edge and hops < HOPS_MAX:
        hops += 1
        # Sorted in each ring, so that the nearest are the same ones whatever the order of a set.
        edge = sorted({n for name in edge for n in ground.neighbours(name) if n not in distance})
        distance.update(dict.fromkeys(edge, hops))
    return distance


def _nearest(ground: Ground, names: list[str], distance: Mapping[str, int], intent: str) -> list[str]:
    """Those that the intent names first, then the nearest."""
    words = _words(intent)
    place = {name: i for i, name in enumerate(ground.agents)}
    return sorted(names, key=lambda n: (not _is_named(ground.card(n), words), distance[n], place[n]))


def _short(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card without its role: what others rely on."""
    return {k: v for k, v in card.items() if k not in ("system_prompt", "source", "around")}


def _is_named(card: Mapping[str, Any], words: frozenset[str]) -> bool:
    names = [str(card["name"])]
    for method in card["methods"]:
        names.append(method["name"])
        for side in (method["input"], method["output"]):
            names += (side or {}).get("properties", {})
    return any(_words(name) & words for name in names)


def _words(text: str) -> frozenset[str]:
    """The words of a text or of a name, whichever way it is written."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text).lower()
    return frozenset(_WORD.findall(spaced))


def told(proposals: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Proposals in short: who wants what, and the operations without their code."""
    short = []
    for one in list(proposals)[:COMPETING_MAX]:
        diff = [{k: v for k, v in op.items() if k not in ("body", "source")} for op in one["diff"]]
        short.append({k: one[k] for k in ("proposal_id", "proposer", "summary")} | {"diff": diff})
    return short


def competes(diff: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two diffs touch a method or a topic in common."""

    def touched(ops: Sequence[Mapping[str, Any]]) -> set[tuple[Any, Any]]:
        return {(op["node"], op.get("method") or op.get("topic")) for op in ops}

    return not touched(diff).isdisjoint(touched(other))
