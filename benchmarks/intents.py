"""Twenty intents over five projects, with hidden tests: does what a user wishes come true, and what does it cost?

    python benchmarks/intents.py                           # the recorded answers, offline: some minutes
    python benchmarks/intents.py --model claude-sonnet-5-5 --model openai:gpt-6-luna     # providers, with a key
    python benchmarks/intents.py --model openai:llama --base-url http://localhost:8000/v1    # a server of your own
    python benchmarks/intents.py --project news --show     # some of it, with what became of every proposal

A wish goes to `graphbus build --intent`; afterwards a test that nobody at the table saw runs the program. Recorded
answers stand under the digest of their prompt. A prompt that changed has no answer: its intent is stale, which is
printed, and counts as not reached. To answer what is open, look at one prompt at a time and at nothing else:

    python benchmarks/intents.py --dump DIR --who NAME     # writes DIR/*.prompt; write *.answer beside each
    python benchmarks/intents.py --learn DIR --who NAME    # takes them into the record; again, until none is left

Exit code: 0 where every goal is met, 1 where one is missed, 3 where records are stale and nothing else is amiss.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.intents_cases import alerts, news, reports, shop, tickets
from benchmarks.intents_cases.case import Intent
from benchmarks.intents_cases.play import PRICED_AS, ROUNDS, Came, play, play_recorded, total
from benchmarks.intents_cases.recorded import FOLDER, Record, learn
from graphbus_core.config import LLMConfig

INTENTS: tuple[Intent, ...] = (*news.INTENTS, *shop.INTENTS, *alerts.INTENTS, *reports.INTENTS, *tickets.INTENTS)
# Of the twenty, how many each record reached when it was made; it has those alone whose prompts it answers.
REACHED = {"careful": 20, "hasty": 7}
FELL_MOST = 0.02  # of the agreed proposals may fall at a gate that needs nothing but the project
COST_MOST_USD = 2.0  # for each intent with a provider


def table(who: str, came: Sequence[Came], show: bool, may_miss: int) -> str:
    """Print the figures of one model; "met", "missed" or "stale". `may_miss`: intents that need not be reached."""
    for one in came:
        mark = "reached" if one.reached else ("STALE" if not one.answered else "MISSED")
        what = f": {one.stale} prompts changed, {one.new} are new" if not one.answered else ""
        what = what or (f": {one.missing}" if one.missing else "")
        if show or not one.reached:
            print(f"  {mark:<8}{one.intent.name}{what}")
        for end in one.ends if show else ():
            print(f"            {end}")
    questions, agreed = total(came, "questions"), total(came, "agreed")
    fell = [f"{one.intent.name}: {why}" for one in came for why in one.fell]
    reached = sum(one.reached for one in came)
    print(f"{who}: {len(came)} intents")
    print(f"  reached                            {reached} of {len(came)} ({sum(not c.answered for c in came)} stale)")
    print(f"  answers taken at the first try     {total(came, 'first')} of {questions}")
    print(f"  calls                              {total(came, 'calls')}")
    print(f"  tokens                             {total(came, 'tokens'):,}")
    unpriced = total(came, "unpriced")
    beside = f" and {unpriced:,} tokens whose price is not known" if unpriced else ""
    print(f"  money                              ${total(came, 'cost_usd'):.3f}{beside}")
    print(f"  seconds, builds one after another  {total(came, 'seconds'):.1f}")
    share = len(fell) / agreed if agreed else 0.0
    print(f"  agreed, and fell at limits..imports {len(fell)} of {agreed} = {share:.0%}   goal <= {FELL_MOST:.0%}")
    for line in fell:
        print(f"    {line}")
    missed = sum(one.answered and bool(one.missing) for one in came)
    if not total(came, "first") or share > FELL_MOST or missed > may_miss:  # nobody answered: a key, a name, an address
        return "missed"
    return "met" if all(one.answered for one in came) else "stale"


def with_provider(name: str, rounds: int, base_url: str | None = None) -> Callable[[Intent], Came]:
    """Play with a real provider, whose key stands in the environment. Its cost is bounded for each intent."""
    llm = LLMConfig(name, max_cost_usd=COST_MOST_USD, base_url=base_url)
    return lambda intent: play(intent, llm, rounds=rounds)


def from_record(record: Record, dump: Path | None, rounds: int) -> Callable[[Intent], Came]:
    """Play what is recorded."""
    return lambda intent: play_recorded(intent, record, dump, rounds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play; see the exit codes above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model", action="append", default=[], help="a provider's model, with its key in the environment"
    )
    parser.add_argument("--base-url", help="the address of that model's server, such as one on this machine")
    parser.add_argument("--who", action="append", default=[], help="a record (default: all)")
    parser.add_argument("--project", default="", help="intents whose name begins with this")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of a build; records are for the default")
    parser.add_argument("--show", action="store_true", help="what became of every proposal")
    parser.add_argument("--dump", type=Path, help="write prompts that nobody has answered here")
    parser.add_argument("--learn", type=Path, help="take in the answers that were written there, and stop")
    given = parser.parse_args(arguments)
    names = given.who or ([] if given.model else sorted(path.stem for path in FOLDER.glob("*.jsonl")))
    records = [Record(name) for name in names]
    if given.learn:
        for record in records:
            print(f"{record.who}: {learn(record, given.learn)} answers taken in")
        return 0
    intents = [one for one in INTENTS if one.name.startswith(given.project)]
    for name in [n for n in os.environ if n.endswith("_API_KEY")] if not given.model else ():
        del os.environ[name]  # the records must not lead to a provider
    told = f", priced as {PRICED_AS}"
    seats = [(f"recorded by {r.who}{told}", from_record(r, given.dump, given.rounds), r) for r in records]
    seats += [(name, with_provider(name, given.rounds, given.base_url), None) for name in given.model]
    if not seats:
        parser.error(f"there is no record in {FOLDER.name}/; give --model, or --who with --dump")
    ends = []
    for who, one, record in seats:
        played = [i for i in intents if record is None or given.dump or record.has(i.name)]
        may_miss = len(intents) if record is None else record.may_miss(REACHED)
        ends.append(table(who, [one(intent) for intent in played], given.show, may_miss))
    return 1 if "missed" in ends else 3 if "stale" in ends else 0


if __name__ == "__main__":
    sys.exit(main())
