"""Cases by strangers for the document negotiation: answers that claim to accept an offer, and pairs of documents.

    python benchmarks/document_fates.py --cases FOLDER        FOLDER has acceptances/NNN.json and pairs/NN/

An altered answer must never stand, a verbatim one always, over commands, MCP and files. Of the pairs no statement may
be lost: each stands in the generated document. Exit 1 where one of these does not hold. How many planted contradictions
are marked, and how many marks are real, is printed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from graphbus_core.negotiation.document.fates import Fates, judge_fates
from graphbus_core.negotiation.document.final_document import compose_document
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.negotiation.document.state import State
from graphbus_core.negotiation.document.text.statements import Statement
from graphbus_core.sessions.document import turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory

ALPHA, BETA = "agent-alpha", "agent-beta"
ROADS = ("commands", "mcp", "files")


def play(root: Path, offer: str, answer: str, road: str) -> bool:
    """Whether this answer makes the offer the decision."""
    where = NegotiationDirectory(root)
    where.init(Settings())
    stem = str(where.add_issue("point").data["file"])[:-3]
    for name in (ALPHA, BETA):
        where.register(name)
    offered = where.write(ALPHA, stem, offer, "offer")
    if not offered.ok or not where.hand_off(ALPHA).ok:
        raise ValueError(f"the offer was refused: {offered.reasons}")
    if road == "commands":
        where.write(BETA, stem, answer, status="AGREED")
        where.hand_off(BETA)
    elif road == "mcp":
        turn_api.take_turn(where, BETA, json.dumps({"offers": [{"issue": stem, "text": answer}]}))
    else:
        path = root / "positions" / f"{stem}.md"
        path.write_text(f"{path.read_text().split('## Status')[0]}## Status: AGREED\n{answer}\n", newline="")
        where.hand_off(BETA)
    return where.read_state().issues[stem].stands


def judge_acceptances(folder: Path, roads: tuple[str, ...]) -> dict[str, Any]:
    """Altered answers that stand and verbatim ones that do not, by kind and road."""
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        for road in roads:
            with tempfile.TemporaryDirectory() as place:
                stands = play(Path(place) / "d", case["offer"], case["answer"], road)
            counts["altered" if case["altered"] else "verbatim"] += 1
            if stands == case["altered"]:
                wrong.append(f"{path.name} {case['kind']} over {road}: {'stands' if stands else 'does not stand'}")
    return {"tried": dict(counts), "wrong": wrong}


def judge_pairs(folder: Path) -> dict[str, int]:
    """Statements that no document has, planted contradictions that are marked, marks that are real. `alike`: pairs that
    stand side by side without a mark; `shown`: planted ones that are marked or among these."""
    names = ("statements", "lost", "planted", "marked", "marks", "real", "alike", "shown", "surest 3", "surest 3 real")
    figures = dict.fromkeys(names, 0)
    for place in sorted(folder.iterdir()):
        state = State(sources={name: (place / f"{name}.md").read_text(encoding="utf-8") for name in ("a", "b")})
        planted = json.loads((place / "truth.json").read_text(encoding="utf-8"))["contradictions"]
        fates = judge_fates(state)
        document = compose_document(state, fates)
        statements, lost = _count_lost(place / "statements.json", document) or (
            len(fates.rows),
            len(judge_fates(state, document).left_out),
        )
        figures["statements"] += statements
        figures["lost"] += lost
        hits = [
            {n for n, pair in enumerate(planted) if _says(c.first, pair["a"]) and _says(c.second, pair["b"])}
            for c in fates.conflicts
        ]
        figures["planted"] += len(planted)
        figures["marked"] += len(set().union(*hits))
        figures["marks"] += len(hits)
        figures["real"] += sum(map(bool, hits))
        figures["surest 3"] += len(hits[:3])
        figures["surest 3 real"] += sum(map(bool, hits[:3]))
        beside = list(_pair_alike(fates))
        figures["alike"] += len(beside)
        figures["shown"] += sum(
            n in set().union(*hits) or any(_says(a, pair["a"]) and _says(b, pair["b"]) for a, b in beside)
            for n, pair in enumerate(planted)
        )
    return figures


def _pair_alike(fates: Fates) -> Iterator[tuple[Statement, Statement]]:
    """What stands side by side in the table, and is no conflict as far as is known."""
    statements = {fate.statement.place: fate.statement for fate in fates.rows}
    for fate in fates.rows:
        if fate.statement.source == "a":
            yield from ((fate.statement, statements[place]) for place in fate.like)


def _count_lost(listed: Path, document: str) -> tuple[int, int] | None:
    """Statements and lost ones by the stranger's own list, word for word; None where the case has no list."""
    if not listed.exists():
        return None
    sentences = [text for of_source in json.loads(listed.read_text(encoding="utf-8")).values() for text in of_source]
    whole = f" {_plain(document)} "
    return len(sentences), sum(f" {_plain(sentence)} " not in whole for sentence in sentences)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().lower()


def _says(statement: Statement, sentence: str) -> bool:
    """Whether this is the planted sentence, or a part of it."""
    ours, theirs = _plain(statement.text), _plain(sentence)
    return ours in theirs or theirs in ours


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--roads", default=",".join(ROADS))
    options = parser.parse_args()
    accepted = judge_acceptances(options.cases / "acceptances", tuple(options.roads.split(",")))
    print(f"answers: {accepted['tried']}; wrong: {len(accepted['wrong'])}")
    print("\n".join(accepted["wrong"]))
    pairs = judge_pairs(options.cases / "pairs")
    print(f"pairs: {pairs}")
    return int(bool(accepted["wrong"]) or pairs["lost"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
