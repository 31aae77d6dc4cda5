"""How many characters two agents read in a document negotiation: 20 games over the command line, on two commits.

    python benchmarks/document_reading.py                    this tree alone
    python benchmarks/document_reading.py --before COMMIT    the same games with the package of that commit, too

Each game reconciles a stranger's pair of documents (`benchmarks/cases/document/pairs`). One agent files issues, the
other offers, the first accepts or offers something else, until all is agreed and the document stands. What `turn` and
`say` print is counted. Exit 1 where a turn of this tree shows more than one of that commit.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAIRS = ROOT / "benchmarks" / "cases" / "document" / "pairs"
GAMES = 20


def run_command(*words: str) -> tuple[int, str]:
    """What a command of the package prints, and its exit code."""
    from graphbus_core.cli.main import main as command

    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        try:
            code = command(list(words))
        except SystemExit as e:
            code = int(e.code or 0)
    return int(code or 0), said.getvalue()


def speak(chance: random.Random, shown: str, statements: list[str], first: bool) -> str:
    """A turn: issues in the first one, then an answer to each offer that was shown, an offer on each issue without."""
    if digest := re.search(r"@accept final\.md ([0-9a-f]{8})", shown):
        return f"@accept final.md {digest[1]}"
    if first:
        topics = chance.sample(range(len(statements)), 4)
        return "\n".join(f"@issue topic {n}\nWhat holds of this?\n\n{statements[n]}" for n in topics)
    said = []
    for block in re.split(r"(?m)^# (?=\d\d-)", shown)[1:]:
        stem, state = re.match(r"([^:\s]+): (\w+)", block).groups()  # type: ignore[union-attr]
        if state != "OPEN":
            continue
        offer = re.search(r"offers \[([0-9a-f]{8})\]", block)
        if offer and chance.random() < 0.7:
            said.append(f"@accept {stem} {offer[1]}")
        else:
            said.append(f"@offer {stem}\n{' '.join(chance.sample(statements, 2))}")
    return "\n".join(said)


def play(pair: Path, seed: int) -> tuple[int, int]:
    """Characters shown and turns taken of one game."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        os.environ["HOME"] = os.environ["XDG_STATE_HOME"] = place  # where seats are kept
        where, seats = Path(place) / "table", {}
        for name in "ab":
            code, said = run_command(
                "negotiate",
                "start",
                str(where),
                "One plan",
                "--no-wait",
                "--source",
                str(pair / f"{name}.md"),
                "--participant",
                name,
                "--seat",
                str(Path(place) / name),
            )
            assert code == 0, said
            seats[name] = str(Path(place) / name)
        shown = turns = 0
        while turns < 40:
            who = "ab"[turns % 2]
            code, brief = run_command("negotiate", "turn", str(where), "--seat", seats[who])
            if code == 2:
                return shown, turns
            statements = [s for s in (pair / f"{who}.md").read_text().split("\n") if len(s.split()) > 4]
            text = Path(place) / "turn.txt"
            text.write_text(speak(chance, brief, statements, turns == 0))
            code, answer = run_command("negotiate", "say", str(where), "--seat", seats[who], "--file", str(text))
            assert code == 0, answer
            shown, turns = shown + len(brief) + len(answer), turns + 1
    raise ValueError(f"{pair.name} came to no end in {turns} turns")


def play_all() -> None:
    """Print each game: characters and turns."""
    for seed, pair in enumerate(sorted(PAIRS.iterdir())[:GAMES]):
        print(*play(pair, seed), flush=True)


def measure(package: Path) -> list[tuple[int, int]]:
    """The games with the package of this folder, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--play"],
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(done.stderr)
    return [(int(a), int(b)) for a, b in (line.split() for line in done.stdout.splitlines())]


def report(what: str, games: list[tuple[int, int]]) -> float:
    """Print the figures of one tree; characters a turn."""
    shown, turns = sum(game[0] for game in games), sum(game[1] for game in games)
    print(
        f"  {what:<24} {len(games)} games  {turns} turns  {shown:,} characters  {shown / turns:,.0f} a turn", flush=True
    )
    return shown / turns


def main() -> int:
    """The comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="")
    parser.add_argument("--play", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        play_all()
        return 0
    now = report("this tree", measure(ROOT))
    if not options.before:
        return 0
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "tree"
        subprocess.run(
            ["git", "worktree", "add", "--detach", str(tree), options.before], cwd=ROOT, check=True, capture_output=True
        )
        try:
            then = report(options.before, measure(tree))
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)
    return int(now > then)


if __name__ == "__main__":
    sys.exit(main())
