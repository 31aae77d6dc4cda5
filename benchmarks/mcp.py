"""Agents at the table: calls a turn, characters read, waiting, and a real MCP client at each negotiation.

python benchmarks/mcp.py            # short: about a minute
python benchmarks/mcp.py --wait 60  # the processor time of a whole minute of waiting
"""

from __future__ import annotations

import argparse
import asyncio
import io
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from graphbus_core.cli.negotiate import operations, text
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document import turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.turn_api import mark_sources_read

AGENTS = ("agent-alpha", "agent-beta")
ISSUES = 6
WHY = "Source {who} measured it, and the operators asked for it; a shorter time would save little and lose much. " * 3


def line(what: str, measured: str, goal: str, ok: bool) -> bool:
    """One line of the table."""
    print(f"  {what:<52} {measured:>22}  {goal:<16} {'ok' if ok else 'NOT MET'}", flush=True)
    return ok


def _opened(root: Path) -> NegotiationDirectory:
    where = NegotiationDirectory(root)
    where.init(Settings(2))
    (root / "topic.md").write_text("# Topic\n\nOne plan for the service.\n")
    for who in "ab":
        lines = [f"{who.upper()} keeps thing {n} for {10 * n} days. {WHY.format(who=who)}" for n in range(1, 30)]
        (root / "sources" / f"{who}.md").write_text("\n\n".join(lines) + "\n")
    for number in range(1, ISSUES + 1):
        where.add_issue(f"thing {number}")
    for name, source in zip(AGENTS, "ab", strict=True):
        where.register(name)
        mark_sources_read(where.hidden, name, [source])  # as `start --source` does: nobody reads its own plan again
    return where


def _turn(where: NegotiationDirectory, who: str) -> str:
    """What an agent of this game says: a position first, then an offer, then it accepts."""
    state = where.read_state()
    if state.are_all_settled():
        return "@accept final.md"
    said = []
    for stem, issue in state.issues.items():
        if not issue.is_open:
            continue
        offers = [e for e in issue.entries if e.offer and e.by != who]
        mine = sum(e.by == who for e in issue.entries)
        if offers:
            said.append(f"@accept {stem}")
        elif mine:
            said.append(f"@offer {stem}\nKeep {stem} for {30 + mine} days.")
        else:
            said.append(f"@position {stem}\n{WHY.format(who=who)}")
    return "\n".join(said)


def reading() -> tuple[int, int, float]:
    """Characters that agents read by `turn`, by `show` in each turn, and calls a turn."""
    with tempfile.TemporaryDirectory() as folder:
        where = _opened(Path(folder) / "d")
        new = shown = calls = turns = 0
        while not (state := where.read_state()).final and turns < 20:
            who = state.holder
            shown += len(text.render_negotiation(where.read_state(working=True)))
            out = io.StringIO()
            with redirect_stdout(out), redirect_stderr(io.StringIO()):
                operations.show_turn(where.root, who)
            new += len(out.getvalue())
            words = Path(folder) / "turn.txt"
            words.write_text(_turn(where, who))
            with redirect_stdout(io.StringIO()) as said, redirect_stderr(said):
                code = operations.say_turn(where.root, who, str(words))
            assert code == 0, said.getvalue()
            calls, turns = calls + 2, turns + 1
        assert where.read_state().final
        return new, shown, calls / turns


def waiting(seconds: float) -> tuple[float, float]:
    """Processor seconds a minute while it waits, and seconds from a hand-off to waking."""
    with tempfile.TemporaryDirectory() as folder:
        where = _opened(Path(folder) / "d")
        cpu = time.process_time()
        turn_api.wait_for_turn(where, AGENTS[1], lambda data: data["turn"] != "wait", seconds)
        spent = (time.process_time() - cpu) * 60 / seconds
        lags = []
        for number in range(5):
            handed = [0.0]
            who, other = AGENTS[number % 2], AGENTS[(number + 1) % 2]

            def hand(who: str = who, handed: list[float] = handed) -> None:
                time.sleep(0.3)
                mine = NegotiationDirectory(where.root)
                for stem in mine.read_state().issues:
                    mine.write(who, stem, f"No, {time.monotonic()}.")
                mine.hand_off(who)
                handed[0] = time.monotonic()

            thread = threading.Thread(target=hand)
            thread.start()
            turn_api.wait_for_turn(NegotiationDirectory(where.root), other, lambda data: data["turn"] != "wait", 30)
            woke = time.monotonic()
            thread.join()
            lags.append(woke - handed[0])
        return spent, max(lags)


def clients() -> dict[str, str]:
    """Each negotiation with real clients of the SDK, killed and restarted in the middle, over both transports."""
    from tests.mcp import test_clients as played

    found = {}
    games: dict[str, Callable[[str, Path], None]] = {
        "document": played.test_a_document,
        "two clients at one seat": played.test_two_clients_at_one_seat,
        "a ruling, by elicitation": played.test_a_ruling_is_asked_of_the_person_at_the_client,
        "build": played.test_a_build,
        "consent": played.test_a_consent_negotiation,
        "interface": played.test_an_interface,
    }
    for name, game in games.items():
        for transport in ("stdio", "http"):
            with tempfile.TemporaryDirectory() as folder:
                begin = time.monotonic()
                try:
                    game(transport, Path(folder))
                    said = f"to the end, {time.monotonic() - begin:.1f} s"
                except (AssertionError, TimeoutError, asyncio.CancelledError, ExceptionGroup) as e:
                    said = f"{type(e).__name__}: {e}"[:60]
                found[f"{name}, over {transport}"] = said
    return found


def main() -> int:
    """All figures."""
    # Started as a script, its folder comes first on the path: there `mcp` would be benchmarks/mcp.py, not the SDK.
    sys.path[:] = [place for place in sys.path if Path(place).resolve() != Path(__file__).resolve().parent]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wait", type=float, default=10.0)
    args = parser.parse_args()
    print(f"Two agents, {ISSUES} issues")
    new, shown, calls = reading()
    good = line("calls a turn, waits apart", f"{calls:.1f}", "2", calls == 2)
    good &= line(
        "characters read, `turn` to `show` in each turn", f"{new:,} of {shown:,}", "<= 40 %", new <= 0.4 * shown
    )
    spent, lag = waiting(args.wait)
    good &= line("processor while it waits", f"{spent:.3f} s a minute", "<= 0.05 s", spent <= 0.05)
    good &= line("from a hand-off to waking, worst of 5", f"{lag:.2f} s", "<= 1 s", lag <= 1)
    print("A client of the SDK; its server, the build and the consent run killed and restarted in the middle")
    for name, said in clients().items():
        good &= line(name, said, "to the end", said.startswith("to the end"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
