"""Who else may sit at a table of private advocates: known behaviours, hard, late and lying ones.

The known behaviours offer and vote, and say nothing else, as in the competitions they come from: MiCRO (de Jonge 2022),
time-dependent concession with a reservation (Faratin 1998), tit for tat in utility space, and what winners of the ANAC
share: concede little and late, offer what the others took part in most often, accept what equals one's own next offer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates import RuleAdvocate
from graphbus_core.participants.advocates.statements import Vocabulary
from graphbus_core.participants.advocates.utility import Utility, list_packages


class Offers:
    """A seat that offers and votes. `wanted`: the least share of its room that it takes or offers now."""

    name = "?"

    async def answer(self, ask: Ask, view: View) -> Reply:
        """A position without a word, an offer, a vote."""
        about = ask.about
        if ask.kind == "position":
            return Reply({"priority": about["priority"] or about["you"]})
        words = Vocabulary.from_issues(about["issues"])
        own = Utility(words, about["yours"])
        packages = list_packages(words.shape)
        shares = own.compute_surplus(packages) / own.room
        said = [f for f in about["said"] if f["fact"] in ("proposal_tabled", "check_called")]
        tabled = [(f["by"], words.find_package(f["terms"])) for f in said]
        mine = [p for by, p in tabled if by == about["you"]]
        theirs = [p for by, p in tabled if by != about["you"] and p is not None]
        used = about["turns"] / about["max_turns"]
        if ask.kind == "consent":
            at = own.compute_surplus(np.array([words.find_package(about["proposal"]["terms"])]))[0] / own.room
            last = about["checks_left"] == 0
            wanted = self.wanted(own, shares, mine, theirs, used, packages)
            yes = at >= -1e-9 and (at >= wanted - 1e-9 or (last and self.gives_in))
            return Reply({"answer": "consent"} if yes else {"answer": "object", "reason": "Not that."})
        wanted = max(0.0, self.wanted(own, shares, mine, theirs, used, packages))
        good = np.flatnonzero(shares >= min(wanted, shares.max()) - 1e-9)
        pick = packages[self.pick(good, shares, packages, mine, theirs)]
        terms = words.build_terms(tuple(int(v) for v in pick))
        if about["may_check"]:
            return Reply({"move": "check", "terms": terms})
        if about["may_speak"]:
            return Reply({"move": "propose", "terms": terms, "offer": "this", "want": "this", "rationale": "so"})
        return Reply({"move": "pass"})

    gives_in = True

    def wanted(
        self, own: Utility, shares: Any, mine: list[Any], theirs: list[Any], used: float, packages: Any
    ) -> float:
        raise NotImplementedError

    def pick(self, good: Any, shares: Any, packages: Any, mine: list[Any], theirs: list[Any]) -> int:
        """Of what is good enough, the one nearest to what the others offered; before that, the best for itself."""
        if not theirs:
            return int(good[shares[good].argmax()])
        like = sum((packages[good] == np.array(p)).sum(axis=1) for p in theirs)
        return int(good[np.lexsort((shares[good], like))[-1]])


class Micro(Offers):
    """Concedes to its next best package whenever the others have made as many different offers as it has."""

    name = "MiCRO"

    def wanted(
        self, own: Utility, shares: Any, mine: list[Any], theirs: list[Any], used: float, packages: Any
    ) -> float:
        ranked = np.sort(shares)[::-1]
        step = min(len(set(mine)) + (len(set(theirs)) >= len(set(mine))), len(ranked) - 1)
        return float(max(0.0, ranked[step]))

    def pick(self, good: Any, shares: Any, packages: Any, mine: list[Any], theirs: list[Any]) -> int:
        """The next one down its own ranking."""
        return int(good[shares[good].argmin()])


class TimeDependent(Offers):
    """Concedes from all to its reservation by the clock alone: slowly at first (`e` < 1) or quickly (`e` > 1)."""

    def __init__(self, e: float) -> None:
        self.e = e
        self.name = f"time-dependent, e {e:g}"

    def wanted(
        self, own: Utility, shares: Any, mine: list[Any], theirs: list[Any], used: float, packages: Any
    ) -> float:
        return float(1 - used ** (1 / self.e))


class TitForTat(Offers):
    """Gives way by as much as the others' offers have come towards it."""

    name = "tit for tat"

    def wanted(
        self, own: Utility, shares: Any, mine: list[Any], theirs: list[Any], used: float, packages: Any
    ) -> float:
        if not theirs:
            return 1.0
        came = own.compute_surplus(np.array(theirs)) / own.room
        return float(max(0.0, 1.0 - max(0.0, came.max() - came[0]) - 0.05 * len(theirs)))


class Winner(Offers):
    """What ANAC winners share: hard until late, offers of what the others chose most often."""

    name = "ANAC winners' ideas"

    def wanted(
        self, own: Utility, shares: Any, mine: list[Any], theirs: list[Any], used: float, packages: Any
    ) -> float:
        return float(max(0.0, 0.95 - 0.55 * used**3))


class Lifted(RuleAdvocate):
    """An advocate that claims to need a share of its room more than it does; `at_end`: honest in the last check."""

    def __init__(self, seed: int, share: float, at_end: bool = False, ballots: bool = True) -> None:
        super().__init__(seed, "lifted", ballots)
        self.share, self.at_end = share, at_end

    def _find_utility(self, words: Vocabulary, about: Any) -> Utility:
        honest = Utility(words, about["yours"])
        honest.minimum += self.share * honest.room
        honest.room *= 1 - self.share
        return honest

    async def answer(self, ask: Ask, view: View) -> Reply:
        """As an honest one with that minimum; in the last check yes to all above its true one."""
        reply = await super().answer(ask, view)
        if self.at_end and ask.kind == "consent" and ask.about["checks_left"] == 0:
            words = Vocabulary.from_issues(ask.about["issues"])
            package = words.find_package(ask.about["proposal"]["terms"])
            if Utility(words, ask.about["yours"]).compute_surplus(np.array([package]))[0] >= -1e-9:
                return Reply({"answer": "consent"})
        return reply


class Hard(Offers):
    """States no key, asks for its best in every turn, takes nothing below nine tenths of it; `late`: but the last."""

    def __init__(self, late: bool) -> None:
        self.gives_in = late
        self.name = "late mover, in words" if late else "hardliner, in words"

    def wanted(
        self, own: Utility, shares: Any, mine: list[Any], theirs: list[Any], used: float, packages: Any
    ) -> float:
        return 0.9

    def pick(self, good: Any, shares: Any, packages: Any, mine: list[Any], theirs: list[Any]) -> int:
        """Its best."""
        return int(good[shares[good].argmax()])
