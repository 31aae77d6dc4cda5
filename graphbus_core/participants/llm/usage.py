"""What answers cost: tokens, money and seconds per agent, per round and in total, and the budget that bounds them.

Prices are those that genai-prices ships; it is never asked to download newer ones. A model without a known price is
named as such, and its tokens are counted all the same.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from graphbus_core.config import LLMConfig
from graphbus_core.errors import ParticipantError
from graphbus_core.participants.llm.models import find_provider
from graphbus_core.text import format_count


class BudgetSpent(ParticipantError):
    """A bound of LLMConfig is reached. No further call is made; every answer that was under way has arrived."""


@dataclass
class Usage:
    """A sum of answers. `cost_usd` covers what has a known price; `unpriced_tokens` are the tokens beside it."""

    answers: int = 0
    requests: int = 0  # HTTP requests, tries that failed included
    input_tokens: int = 0  # all of them, those read from a cache included
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_tokens: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    def add(self, other: Usage) -> None:
        """Add another sum to this one."""
        for f in fields(self):
            setattr(self, f.name, getattr(self, f.name) + getattr(other, f.name))

    def to_dict(self) -> dict[str, Any]:
        """For the log and `build_summary.json`."""
        return {
            **{f.name: getattr(self, f.name) for f in fields(self)},
            "cost_usd": round(self.cost_usd, 6),
            "seconds": round(self.seconds, 3),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Usage:
        """Inverse of `to_dict`; foreign fields are left out."""
        return cls(**{f.name: data[f.name] for f in fields(cls) if isinstance(data.get(f.name), int | float)})


def compute_price_usd(model: str, usage: Usage) -> float | None:
    """What `usage` of `model` (a full name) costs, or None where no price is known."""
    try:
        from genai_prices import Usage as Priced, calc_price
    except ImportError:
        return None
    priced = Priced(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    try:
        return float(calc_price(priced, model.partition(":")[2], provider_id=find_provider(model)).total_price)
    except (LookupError, ValueError):
        return None


@lru_cache(maxsize=256)
def has_price(model: str) -> bool:
    """Whether the shipped prices know this model."""
    return compute_price_usd(model, Usage(input_tokens=1_000, output_tokens=1_000)) is not None


# What a provider puts behind a model's name without making another model of it: a date, a version, an alias.
_EDITION = re.compile(
    r"(?:[-@:](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2,4}|\d{3,4}|latest|preview|beta|exp|v\d+(?::\d+)?))*"
)


@lru_cache(maxsize=256)
def is_priced_by_name(model: str) -> bool:
    """Whether the shipped prices know this very model, and not only one whose name begins alike.

    Prices are matched by how a name begins, so `claude-sonnet-4-5-nonsense` has one. That binds a budget rightly,
    where somebody pays for it; a plan should not promise a figure for a model that nobody offers.
    """
    try:
        from genai_prices import Usage as Priced, calc_price

        name = model.partition(":")[2]
        model_info = calc_price(Priced(input_tokens=1), name, provider_id=find_provider(model)).model
    except (ImportError, LookupError, ValueError):
        return False
    stems = re.findall(r"(?:equals|starts_with)='([^']+)'", repr(model_info.match))
    return any(name.startswith(s) and _EDITION.fullmatch(name[len(s) :].rstrip("@")) for s in [model_info.id, *stems])


class Spending:
    """Every answer's usage, and the budget. One spending serves a whole table.

    `check` is called before each request is sent; so a budget is overrun by at most the answers that were under way
    when it was reached.
    """

    def __init__(self, llm: LLMConfig, clock: Callable[[], float] = time.monotonic) -> None:
        self.llm = llm
        self.total = Usage()
        self.by_agent: dict[str, Usage] = {}
        self.by_round: dict[int, Usage] = {}
        self.by_model: dict[str, Usage] = {}
        self.requests_begun = 0  # in this run
        self.restored_requests = 0
        self.under_way: dict[str, int] = {}  # agent -> questions it is thinking about
        self._clock = clock
        self._since: float | None = None
        self._waiting: list[asyncio.Future[None]] = []  # for nobody to be thinking

    # -- budget

    def find_reached_bound(self) -> str | None:
        """Which bound is reached, in a sentence, or None."""
        llm, total = self.llm, self.total
        if llm.max_cost_usd is not None and total.cost_usd >= llm.max_cost_usd:
            return f"the budget of ${llm.max_cost_usd:g} is spent (${total.cost_usd:.4f})"
        if llm.max_tokens is not None and total.tokens >= llm.max_tokens:
            return f"the budget of {llm.max_tokens} tokens is spent ({total.tokens})"
        if llm.max_requests is not None and self.requests_begun + self.restored_requests >= llm.max_requests:
            return f"the budget of {llm.max_requests} requests is spent"
        if llm.max_wall_s is not None and self._since is not None and self._clock() - self._since >= llm.max_wall_s:
            return f"the budget of {llm.max_wall_s:g} s is spent"
        return None

    def begin_request(self) -> None:
        """Count a request that is about to be sent. Raises BudgetSpent instead where a bound is reached."""
        if self._since is None:
            self._since = self._clock()
        if why := self.find_reached_bound():
            raise BudgetSpent(f"No more models are asked: {why}. Run it again with a larger budget.")
        self.requests_begun += 1

    # -- bookkeeping

    def enter(self, agent: str) -> None:
        """`agent` begins to think."""
        self.under_way[agent] = self.under_way.get(agent, 0) + 1

    def leave(self, agent: str) -> None:
        """`agent` has done thinking."""
        self.under_way[agent] -= 1
        if not self.under_way[agent]:
            del self.under_way[agent]
        if not self.under_way:
            for waiting in self._waiting:
                if not waiting.done():
                    waiting.set_result(None)
            self._waiting.clear()

    async def wait_until_idle(self) -> None:
        """Return when nobody is thinking: what has been paid for has arrived."""
        if self.under_way:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting

    def add(self, agent: str, round_number: int, model: str, usage: Usage) -> None:
        """Enter one answer's usage."""
        self.total.add(usage)
        self.by_agent.setdefault(agent, Usage()).add(usage)
        self.by_round.setdefault(round_number, Usage()).add(usage)
        self.by_model.setdefault(model, Usage()).add(usage)

    def restore(self, usages: Iterable[Mapping[str, Any]]) -> None:
        """Enter what an interrupted build has used already, from the `usage` of its stored replies."""
        for data in usages:
            if "agent" in data and "model" in data:
                usage = Usage.from_dict(data)
                self.restored_requests += usage.requests
                self.add(str(data["agent"]), int(data.get("round") or 0), str(data["model"]), usage)

    def report(self) -> dict[str, Any]:
        """Usage per agent, per round, per model and in total, as in `build_summary.json`."""
        return {
            "total": self.total.to_dict(),
            "by_agent": {name: u.to_dict() for name, u in sorted(self.by_agent.items())},
            "by_round": {str(number): u.to_dict() for number, u in sorted(self.by_round.items())},
            "by_model": {name: u.to_dict() for name, u in sorted(self.by_model.items())},
            "unpriced_models": sorted(m for m in self.by_model if not has_price(m)),
            "budget_reached": self.find_reached_bound(),
        }

    def summarize(self) -> str:
        """The same in one line, for the end of a build."""
        total = self.total
        money = f"${total.cost_usd:.4f}"
        if total.unpriced_tokens:
            names = ", ".join(sorted(m for m in self.by_model if not has_price(m)))
            money += f" and {total.unpriced_tokens:,} tokens of {names}, whose price is not known"
        cached = f", {total.cache_read_tokens:,} of them from a cache" if total.cache_read_tokens else ""
        return (
            f"{format_count(total.answers, 'answer')} in {format_count(total.requests, 'request')}, "
            f"{total.input_tokens:,} tokens in{cached}, "
            f"{total.output_tokens:,} out, {money}."
        )
