"""A huge table: how long its turns take, and what `kill -9` leaves in the middle of the last one.

    python benchmarks/document_huge.py --issues 200 --kilobytes 1000 --kills 20

Two agents file, offer and accept all issues in one turn each, over two sources of this size, and sign `final.md`. The
last acceptance ends the negotiation: it is killed at a random moment (every other time just after the log has grown),
the table is looked at, and put back, as often as `--kills` says. After each kill log and files must say one thing: it
ended, or it did not, and then it can be ended. Exit 1 where they do not, or where the last turn takes longer than
`--bound-s`.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from graphbus_core.negotiation.document.model import FINAL, Phase, Settings
from graphbus_core.sessions.document import turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory

ALPHA, BETA = "agent-alpha", "agent-beta"
SAY = [sys.executable, "-m", "graphbus_core.cli.main", "negotiate", "say"]
REPOSITORY = Path(__file__).resolve().parent.parent


def take(where: NegotiationDirectory, who: str, text: str) -> str:
    """A whole turn; how it ended. Raises ValueError where it is refused."""
    result = turn_api.take_turn(where, who, text)
    if not result.ok:
        raise ValueError("; ".join(map(str, result.reasons[:3])))
    return str(result.data["end"])


def measure(what: str, step: Callable[[], object]) -> float:
    """Do it, and print the seconds that it took."""
    begin = time.monotonic()
    step()
    seconds = time.monotonic() - begin
    print(f"  {what:<44} {seconds:6.1f} s", flush=True)
    return seconds


def play_to_last_turn(root: Path, issues: int, size: int) -> NegotiationDirectory:
    """A table at which only the last acceptance is missing: beta's."""
    where = NegotiationDirectory(root)
    where.init(Settings(turn_timeout_s=100_000))
    for name in "ab":
        lines = (
            f"- Item {n} of plan {name} is kept {n % 97} days in room {n % 13} by team {n % 31}." for n in range(size)
        )
        text = ""
        while len(text) < size:
            text += next(lines) + "\n"
        (root / "sources" / f"{name}.md").write_text(text, encoding="utf-8")
    for who in (ALPHA, BETA):
        where.register(who)
    filed = "\n".join(f"@issue topic {n}\nWhat of {n}?\n@offer topic {n}\nWe do {n} things." for n in range(issues))
    measure(f"file and offer {issues} issues", lambda: take(where, ALPHA, filed))
    accepted = "\n".join(f"@accept {stem}" for stem in where.read_state().issues)
    measure(f"accept {issues} offers", lambda: take(where, BETA, accepted))
    measure("what the next is told", lambda: turn_api.deliver_brief(where, ALPHA))
    measure("the first acceptance of final.md", lambda: take(where, ALPHA, f"@accept {FINAL}"))
    return where


def find_fault(root: Path) -> tuple[str, str]:
    """How a killed turn left the table, and what is wrong with that, "" for nothing. Log and files are read as the next
    command reads them, and then held against each other."""
    where = NegotiationDirectory(root)
    problems = where.find_problems()
    state = where.read_state()
    ended = state.phase is Phase.DONE
    how = "had ended" if ended else "had not ended"
    if problems:
        return how, f"log and files differ: {problems[0]}"
    turn, final = ((root / name).read_text(encoding="utf-8") for name in ("turn.md", FINAL))
    if ended != (turn.strip() == "done") or not state.draft or (ended and final != state.final):
        return how, f"the log says {state.phase}, turn.md {turn.strip()!r}"
    if not ended and take(where, BETA, f"@accept {FINAL}") != "finished":
        return how, "it could not be ended"
    return how, ""


def kill_last_turn(
    where: NegotiationDirectory, saved: Path, words: Path, after_s: float, from_log: bool
) -> tuple[str, str]:
    """Put the table back, end it with a command that is killed, and look. `from_log`: the seconds are counted from when
    the log has grown, for there files lag behind."""
    shutil.rmtree(where.root)
    shutil.copytree(saved, where.root, symlinks=True)
    command = [*SAY, str(where.root), BETA, "--file", str(words)]
    log = where.hidden / "log.jsonl"
    size = log.stat().st_size
    said = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while from_log and said.poll() is None and log.stat().st_size == size:
        time.sleep(0.000_2)
    try:
        said.wait(after_s)
    except subprocess.TimeoutExpired:
        said.kill()
        said.wait()
    return find_fault(where.root)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--issues", type=int, default=200)
    parser.add_argument("--kilobytes", type=int, default=1_000, help="of each of the two sources")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bound-s", type=float, default=10.0, help="seconds that the last turn may take")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        root, saved, words = Path(folder) / "d", Path(folder) / "saved", Path(folder) / "words"
        words.write_text(f"@accept {FINAL}\n", encoding="utf-8")
        where = play_to_last_turn(root, options.issues, options.kilobytes * 1_000)
        shutil.copytree(root, saved, symlinks=True)
        command = [*SAY, str(root), BETA, "--file", str(words)]
        last = measure(
            "the last `say`, a process of its own", lambda: subprocess.run(command, cwd=REPOSITORY, check=True)
        )
        ends: Counter[str] = Counter()
        faults = []
        for n in range(options.kills):
            from_log = n % 2 == 1
            after_s = chance.uniform(0, 0.1) if from_log else chance.uniform(0, last)
            how, fault = kill_last_turn(where, saved, words, after_s, from_log)
            ends[how] += 1
            faults += [fault] if fault else []
        print(f"  killed {options.kills} times in the last `say`: {dict(ends)}; log and files differ: {len(faults)}")
        print("\n".join(faults))
    return int(bool(faults) or last > options.bound_s)


if __name__ == "__main__":
    sys.exit(main())
