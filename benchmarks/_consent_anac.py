"""The domains of the negotiation competition (ANAC), disclosed and private: agreement, Nash, Pareto, a line a year.

Fetched, never committed: `tests/data/scenarios/anac` of the public repository `yasserfarouk/negmas` holds them in the
format that GENIUS reads. Two to five parties, three to 10^50 outcomes.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.events import ConsentConfig, Outcome, Status
from graphbus_core.negotiation.consent.optimum.search import check_efficiency, find_optima
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Preferences, Scenario
from graphbus_core.negotiation.consent.shut_ballots import BallotBox
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.core import Driver, Session
from graphbus_core.participants.advocates import RuleAdvocate
from graphbus_core.sessions.consent.files import load_scenario

Row = Callable[[str, str, str, bool], None]
TURNS = 30  # the seed's; where ballots of so many seats take more, as many as the start says
CLOSE = 5e-4  # of the best product: what 1.000 means with three digits


@dataclass(frozen=True)
class Ended:
    """How one domain ended. `right`: a deal where one exists, none where none does."""

    domain: str
    right: bool
    nash: float
    pareto: bool
    seconds: float


def _negotiate(scenario: Scenario) -> Ended:
    box = BallotBox(tuple(scenario.names), tuple(len(i.options) for i in scenario.issues))
    turns = max(TURNS, box.least_turns)
    session: Session[State, Outcome] = Session(ConsentProtocol(), ConsentConfig(scenario, turns), MemoryLog())
    start = time.process_time()
    seats = {n: RuleAdvocate(1) for n in scenario.names}
    outcome = asyncio.run(Driver(seats, MemoryAnswers()).run(session))
    took = time.process_time() - start
    best = find_optima(scenario)
    if outcome.status is not Status.DONE:
        return Ended(scenario.topic, best is None, 1.0 if best is None else 0.0, best is None, took)
    package = scenario.parse_terms(outcome.terms)
    surplus = [a.score(package) - a.floor for a in scenario.scored_advocates]
    top = best.nash.value if best is not None else 0.0
    nash = math.prod(surplus) / top if top > 0 else 1.0
    kept = min(surplus) >= -1e-9
    return Ended(scenario.topic, kept, nash, bool(check_efficiency(scenario, package).efficient), took)


def measure_competition(folder: Path, row: Row) -> None:
    """Every domain below the folder, once disclosed and once private."""
    for preferences in (Preferences.DISCLOSED, Preferences.PRIVATE):
        for year in sorted(p for p in folder.iterdir() if p.is_dir()):
            ended = []
            for domain in sorted(p for p in year.iterdir() if p.is_dir()):
                scenario = replace(load_scenario(domain), topic=domain.name, preferences=preferences)
                ended.append(_negotiate(scenario))
            short = [e for e in ended if not e.right or e.nash < 1 - CLOSE or not e.pareto]
            count = len(ended)
            told = (
                f"{sum(e.right for e in ended)} of {count}, Nash {sum(e.nash for e in ended) / count:.3f}, "
                f"Pareto {sum(e.pareto for e in ended) / count:.3f}"
            )
            longest = max(ended, key=lambda e: e.seconds)
            row(f"{year.name}, {preferences.value}", told, "all, 1.000, 1.000", not short)
            print(f"    longest {longest.domain}: {longest.seconds:.1f} s of processor")
            for e in short:
                print(f"    short: {e.domain}: right {e.right}, Nash {e.nash:.4f}, Pareto {e.pareto}")
