"""A rule advocate: it says what it could live with, listens, and tables what it believes best for all.

Stateless: the question carries what was said, so an advocate that is started again goes on as if nothing had happened.
A proposal it tables is the one with the greatest expected product of everybody's gains, its own known, the others'
believed (`beliefs`), among those nobody has refused. It consents where it gains and knows nothing clearly better for
all; in the last check that the turns can hold every package above its minimum will do. Where everyone casts ballots
that stay shut until all are in, it does that instead (`shut_voting`).
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from graphbus_core.negotiation.consent.shut_ballots import BallotBox, BallotStage, render_key
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates.ballot import derive_public_key
from graphbus_core.participants.advocates.opponent_model import (
    LEAST,
    OpponentModel,
    build_features,
    fit_belief,
    judge_package,
)
from graphbus_core.participants.advocates.sealed_voting import (
    Ballots,
    SealedVoting,
    count_rounds_due,
    render_no_deal,
)
from graphbus_core.participants.advocates.shut_voting import ShutVoting
from graphbus_core.participants.advocates.statements import Package, Vocabulary
from graphbus_core.participants.advocates.utility import Floats, Packages, Utility, find_candidates

INDIFFERENT = 0.05  # in the logarithm of the product: less than this is no reason to object
BOLD, SOBER = 1.5, 0.6  # how much doubt counts as promise, before and after patience runs out
MEDIATOR = "mediator"
IN_PRIVATE = "What I can live with, I say under seal, or of a package on the table"
TRIED = 3.0  # a package tabled before must be this much better (logarithm) to be tabled again
HOPELESS = -1e9


class RuleAdvocate:
    """One seat. `seed` settles ties; two advocates with the same seed still differ by their names.

    `secret`: what its ballots are sealed with. Without one it is made of the seed and the advocate's own preferences,
    which keeps logs the same from run to run, and hides nothing from somebody who knows both. `ballots`: whether it
    takes part in ballots where everyone does (`shut_voting`); else, and with other seats at the table, it talks.
    """

    def __init__(self, seed: int = 0, secret: str = "", ballots: bool = True) -> None:
        self.seed = seed
        self.secret = secret
        self.ballots = ballots
        self._own: dict[str, Utility] = {}  # memos both: a question alone would do
        self._hearing: OpponentModel | None = None

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The answer to a question of the consent negotiation."""
        return Reply(self.build_answer(ask))

    def build_answer(self, ask: Ask) -> dict[str, Any]:
        """The answer's body. Pure: the question and the seed alone decide it."""
        about = ask.about
        if not about["issues"]:
            return _reply_without_issues(ask)
        words = Vocabulary.from_issues(about["issues"])
        own = self._find_utility(words, about)
        if ask.kind == "position":
            return self._state_position(ask, words, own)
        voting = self.join_shut_voting(words, own, about)
        if ask.kind in tuple(BallotStage):
            return voting.answer(ask.kind, about)
        if voting.box.rounds:
            return _vote_on_ballots(ask, voting)
        sealing = self.join_sealed_voting(words, own, about)
        if sealing is not None:
            return _vote_by_ballot(ask, sealing)
        mind = _Deliberation(self, ask, words, own)
        return mind.take_turn() if ask.kind == "turn" else mind.consent()

    def join_shut_voting(self, words: Vocabulary, own: Utility, about: Mapping[str, Any]) -> ShutVoting:
        """This advocate's part in the ballots that stay shut until all are in."""
        box = BallotBox.from_facts(list(about["advocates"]), words.shape, about["said"])
        return ShutVoting(words, own, about["you"], self._derive_secret(about), box)

    def join_sealed_voting(self, words: Vocabulary, own: Utility, about: Mapping[str, Any]) -> SealedVoting | None:
        """This advocate's part in the ballots of 0.2.0, cast in turns, where a kept table has them; else None."""
        if not self.ballots or about.get("preferences") != "private":
            return None
        ballots = Ballots.from_facts(list(about["advocates"]), about["said"], count_rounds_due(words.shape))
        turns_left = about["max_turns"] - about["turns"]
        voting = SealedVoting(words, own, about["you"], self._derive_secret(about), ballots, turns_left)
        return voting if voting.is_open else None

    def _derive_secret(self, about: Mapping[str, Any]) -> bytes:
        plain = json.dumps([self.secret, self.seed, about["you"], about["yours"]], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(b"seal" + plain.encode()).digest()

    def _find_utility(self, words: Vocabulary, about: Mapping[str, Any]) -> Utility:
        name = about["you"]
        if name not in self._own:
            self._own[name] = Utility(words, about["yours"])
        return self._own[name]

    def update_opponent_model(self, words: Vocabulary, about: Mapping[str, Any]) -> OpponentModel:
        """What was said, understood; only what is new since the last question is read again."""
        facts = about["said"]
        model = self._hearing
        if model is not None and model.heard is facts:
            return model
        if model is None or model.words != words or not model.is_continued_by(facts):
            model = self._hearing = OpponentModel(words, list(about["advocates"]))
        model.learn(facts)
        return model

    def _state_position(self, ask: Ask, words: Vocabulary, own: Utility) -> dict[str, Any]:
        """The four texts: as given, and after them what the others may reckon with."""
        about = ask.about
        stated = about["given"]
        never = [line for line in about["yours"]["red_lines"] if "minimum" not in line]
        private = about.get("preferences") == "private"
        key = render_key(derive_public_key(self._derive_secret(about))) if self.ballots else ""
        rationale, trade = key, IN_PRIVATE
        if not private:
            live, serves = judge_package(own, own.best, 1)
            rationale, trade = (
                words.render_ideal(own.best, own.relevant_issues),
                f"{words.render_acceptable(live)} {words.render_preferred(serves)}",
            )
        return {
            "priority": stated["priority"] or about["priority"] or about["you"],
            "rationale": _join(stated["rationale"], rationale),
            "red_line": stated["red_line"] or ("; ".join(never) if never else "Less than I can live with"),
            "willing_to_trade": _join(stated["willing_to_trade"], trade),
        }


def _vote_on_ballots(ask: Ask, voting: ShutVoting) -> dict[str, Any]:
    """The answer at a table whose ballots are open: yes to what they came to, and to nothing else."""
    about = ask.about
    terms = voting.words.build_terms(voting.winner) if voting.winner is not None else None
    if ask.kind == "consent":
        if about["proposal"]["terms"] == terms and not about["red_lines_crossed"]:
            return {"answer": "consent", "hash": about["proposal"]["hash"]}
        return {"answer": "object", "reason": "This is not what everyone's ballots came to."}
    if terms is None:
        return {"move": "pass", "why": render_no_deal(voting.box.voters, voting.weighed, math.prod(voting.words.shape))}
    is_tried = any(f["fact"] == "check_called" and f["terms"] == terms for f in about["said"])
    return {"move": "pass", "why": ""} if is_tried or not about["may_check"] else {"move": "check", "terms": terms}


def _vote_by_ballot(ask: Ask, sealing: SealedVoting) -> dict[str, Any]:
    """The answer at a table that talks in sealed ballots."""
    about = ask.about
    winner = sealing.winner
    if ask.kind == "consent":
        proposal = about["proposal"]
        package = sealing.words.find_package(proposal["terms"]) if isinstance(proposal["terms"], Mapping) else None
        if package is not None and package == winner and not about["red_lines_crossed"]:
            return {"answer": "consent", "hash": proposal["hash"]}
        return {"answer": "object", "reason": "This is not what everyone's ballots came to."}
    if sealing.owes_ballot:
        return {"move": "discuss", "text": sealing.build_ballot()}
    if winner is not None and about["may_check"] and about["proposal"] is None:
        return {"move": "check", "terms": sealing.words.build_terms(winner)}
    return {"move": "pass", "why": render_no_deal(sealing.ballots.names) if winner is None else ""}


class _Deliberation:
    """One question thought through."""

    def __init__(self, seat: RuleAdvocate, ask: Ask, words: Vocabulary, own: Utility) -> None:
        self.ask, self.words, self.own = ask, words, own
        self.about = ask.about
        self.you: str = ask.about["you"]
        self.names: list[str] = list(ask.about["advocates"])
        self.rng = random.Random(f"{seat.seed}:{self.you}:{ask.id.partition('#')[0]}")
        self._seat = seat
        self.late = ask.about["checks_left"] <= (ask.kind == "turn")

    @property
    def opponents(self) -> OpponentModel:
        """What was said so far; nothing is read before it is needed."""
        return self._seat.update_opponent_model(self.words, self.about)

    # ------------------------------------------------------------------ what is best

    def score_packages(self, packages: Packages) -> Floats:
        """The logarithm of the expected product of gains; HOPELESS where somebody cannot."""
        surplus = self.own.compute_surplus(packages)
        total: Floats = np.log(np.maximum(surplus, 0.005 * self.own.room) / self.own.room)
        rows = build_features(self.words.shape, self.words.numeric).encode(packages)
        for name in self.names:
            if name != self.you:
                believed = fit_belief(
                    self.words.shape,
                    self.words.numeric,
                    self.opponents.alone.get(name),
                    self.opponents.list_labels(name),
                )
                gain = believed.estimate_gain(rows, SOBER if self.late else BOLD)
                total = total + np.log(gain / gain.max())
        bad = set().union(*(self.opponents.list_refused_by(n) for n in self.names if n != self.you))
        if bad:
            total[_mark_among(packages, bad, self.words.shape)] = HOPELESS
        total[surplus < (0.0 if self.late else LEAST * self.own.room) - 1e-9] = HOPELESS
        return total

    def list_choices(self) -> Packages:
        """The packages to choose from."""
        starts = [self.own.best, *self.opponents.tabled, *self.opponents.alone.values()]
        return find_candidates(self.words.shape, starts, self.score_packages, self.you)

    # ------------------------------------------------------------------ a turn

    def take_turn(self) -> dict[str, Any]:
        """Check what is fresh on the table; else ask everyone about what it believes best for all, or table it."""
        about = self.about
        standing = about["proposal"]
        if standing is not None and not standing["objections"] and standing["by"] != self.you:
            if about["may_check"]:
                return {"move": "check"}
            package = self.words.find_package(standing["terms"])
            spoken = self.opponents.spoken_of.get(standing["number"], set())
            if package is not None and self.you not in spoken and about.get("may_speak", True):
                return {"move": "discuss", "text": self._speak(package, standing["number"])}
        offer = self.propose()
        if offer["move"] != "propose":
            return offer
        if about["may_check"]:
            return {**offer, "move": "check"}
        return offer if about.get("may_speak", True) else {"move": "pass", "why": "A check cannot be held any more."}

    def _speak(self, package: Package, number: int) -> str:
        live, serves = judge_package(self.own, package, number, self.late)
        return f"On proposal {number}: {self.words.render_acceptable(live)} {self.words.render_preferred(serves)}"

    def propose(self) -> dict[str, Any]:
        """The package that it believes best for all, among those nobody refused and that were not tried yet."""
        packages = self.list_choices()
        worth = self.score_packages(packages)
        if not self.late and self.opponents.tabled:
            again = _mark_among(packages, self.opponents.tabled, self.words.shape)
            worth = np.where(again, worth - TRIED, worth)
        top = worth.max()
        if top <= HOPELESS / 2:
            return self._give_up(packages)
        package = _make_package(packages[self.rng.choice(np.flatnonzero(worth >= top - 1e-9).tolist())])
        return self._offer(package)

    def _give_up(self, packages: Packages) -> dict[str, Any]:
        """Nothing is left that everybody might accept: what it can live with itself, fewest refusals first."""
        surplus = self.own.compute_surplus(packages)
        good = np.flatnonzero(surplus >= -1e-9)
        if not len(good):
            return {"move": "pass", "why": "Nothing that I know of is possible for me."}
        refusals = self.opponents.count_refusals()
        counts = [refusals.get(_make_package(packages[g]), 0) for g in good]
        least = min(counts)
        package = _make_package(
            packages[self.rng.choice([int(g) for g, c in zip(good, counts, strict=True) if c == least])]
        )
        return self._offer(package)

    def _offer(self, package: Package) -> dict[str, Any]:
        number = self.opponents.numbers + 1
        live, serves = judge_package(self.own, package, number, self.late)
        return {
            "move": "propose",
            "terms": self.words.build_terms(package),
            "offer": self.words.render_acceptable(live),
            "want": self.words.render_preferred(serves),
            "rationale": "From what was said I believe that everybody can live with this.",
        }

    # ------------------------------------------------------------------ a check

    def consent(self) -> dict[str, Any]:
        """Yes where it gains and knows nothing clearly better for all; else what would help."""
        proposal = self.about["proposal"]
        number = proposal["number"]
        package = self.words.find_package(proposal["terms"])
        if package is None or self.about["red_lines_crossed"]:
            reason = "This crosses a line that I cannot cross."
            if package is not None:
                live, serves = judge_package(self.own, package, number, self.late)
                reason = f"{self.words.render_acceptable(live)} {self.words.render_preferred(serves)}"
            return {"answer": "object", "reason": reason}
        surplus = float(self.own.compute_surplus(np.array([package]))[0])
        if surplus < -1e-9:
            return self._raise_objection(package, number, "")
        if self.late or self.about["last_chance"] or proposal["by"] == MEDIATOR or self.own.silent:
            return {"answer": "consent", "hash": proposal["hash"]}
        if surplus < LEAST * self.own.room - 1e-9:
            return self._raise_objection(package, number, "")
        packages = np.vstack([self.list_choices(), [package]])
        worth = self.score_packages(packages)
        if worth[-1] >= worth.max() - INDIFFERENT:
            return {"answer": "consent", "hash": proposal["hash"]}
        return self._raise_objection(package, number, " I believe that another change serves everybody better.")

    def _raise_objection(self, package: Package, number: int, more: str) -> dict[str, Any]:
        live, serves = judge_package(self.own, package, number, self.late)
        return {
            "answer": "object",
            "reason": f"{self.words.render_acceptable(live)} {self.words.render_preferred(serves)}{more}",
        }


def _reply_without_issues(ask: Ask) -> dict[str, Any]:
    """With nothing but texts a rule has nothing to weigh: it states its priority, passes, and objects."""
    stated = ask.about.get("given", {})
    if ask.kind == "position":
        return {**stated, "priority": stated.get("priority") or ask.about["priority"] or ask.about["you"]}
    if ask.kind == "turn":
        return {"move": "pass", "why": "A rule advocate cannot weigh words."}
    return {"answer": "object", "reason": "A rule advocate cannot weigh words; seat a model or a person here."}


def _join(*parts: str) -> str:
    sentences = [p.strip() for p in parts if p and p.strip()]
    return " ".join([p if p.endswith((".", "!", "?")) else f"{p}." for p in sentences[:-1]] + sentences[-1:])


def _mark_among(packages: Packages, some: Collection[Package], shape: tuple[int, ...]) -> Any:
    """Which packages are among `some`: by their place in canonical order, where that fits a word."""
    if math.prod(shape) < 1 << 62:
        place = np.ones(len(shape), dtype=np.int64)
        for i in range(len(shape) - 2, -1, -1):
            place[i] = place[i + 1] * shape[i + 1]
        return np.isin(packages @ place, np.array(list(some), dtype=np.int64) @ place)
    chosen = set(some)
    return np.array([tuple(p) in chosen for p in packages.tolist()], dtype=np.bool_)


def _make_package(row: Any) -> Package:
    return tuple(int(v) for v in row)
