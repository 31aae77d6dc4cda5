"""Mixed company: agents that follow the skill's text with shell scripts, each with scripts of its own choice.

A seat is taken by an agent in Bash that does what seed 004 says, step by step, and calls the eight scripts of a folder
for it: ours (`skill/scripts`), the plainest that keep the reference (`directory_peer.sh`), or those that somebody else
uses, which are not in this repository:

    python benchmarks/directory.py --only scripts --scripts FOLDER        FOLDER has init.sh, register.sh, poll.sh, …

Seats with our scripts are killed at random instants and started again. Used by `benchmarks/directory.py` and the tests.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.negotiation.document.events import AgreementReached, Noted, TurnSkipped, TurnTaken
from graphbus_core.sessions.document.directory import NegotiationDirectory

HERE = Path(__file__).resolve().parent
OURS = HERE.parent / "skill" / "scripts"
NAMES = ("init", "register", "wait-for-start", "poll", "new-issue", "hand-off", "status", "finish")


def plain(folder: Path) -> Path:
    """A folder with the plainest scripts, under the eight names."""
    folder.mkdir(parents=True)
    peer = folder / "peer"
    peer.write_bytes((HERE / "directory_peer.sh").read_bytes())
    peer.chmod(0o755)
    for name in NAMES:
        (folder / f"{name}.sh").symlink_to(peer)
    return folder


# Two topics an agent; on each the first to speak states a view, the others theirs, and whoever finds that every agent
# has spoken agrees in words of its own. The moderator's note calls that an offer, and the others accept it by its hash.
# What it writes it also notes in SAID, to be looked for afterwards. Started again, it goes on; what it noted of a turn
# it forgets once a poll says that the turn is over, for a kill may come right after a hand-off.
AGENT = r"""
set -u
D="$1" S="$2" SAID="$3" SEATS="$4" RIGOROUS="$5"; ME=""
step() { printf '%s %s\n' "$ME" "$*" >> "$SAID.steps"; }
if [ -f "$SAID.name" ]; then ME=$(cat "$SAID.name"); step again; else
    "$S/init.sh" "$D" "$SEATS" 60 >> "$SAID.out" 2>&1; CODE=$?; step init $CODE
    case $CODE in 0) printf '# Topic\n\nHow settings are kept.\n' > "$D/topic.md" ;; 3) sleep 0.5 ;; *) exit 10 ;; esac
    for NAME in agent-alpha agent-beta agent-gamma agent-delta agent-epsilon; do
        grep -q "^- $NAME " "$D/agents.md" && continue
        "$S/register.sh" "$D" "$NAME" >> "$SAID.out" 2>&1; CODE=$?; step register "$NAME" $CODE
        [ $CODE = 0 ] && { ME=$NAME; break; }
        [ $CODE = 1 ] || exit 11
    done
    printf '%s' "$ME" > "$SAID.name"
    printf 'The plan of %s: keep it simple.\n' "$ME" > "$D/sources/$ME-plan.md"
fi
"$S/wait-for-start.sh" "$D" "$ME" >> "$SAID.out" 2>&1; CODE=$?; step wait $CODE
[ $CODE = 0 ] || exit 12

file_issue() {  # prints nothing; the text is completed as the skill says: edit the created file
    if [ "$1" = new ]; then
        FILE=$("$S/new-issue.sh" "$D" "$2") || return 1; FILE="$D/issues/$FILE"
    elif [ -x "$S/file-draft-issue.sh" ]; then
        FILE=$("$S/file-draft-issue.sh" "$D" "$ME" "$2") || return 1; FILE="$D/issues-draft/$ME/$FILE"
    else
        mkdir -p "$D/issues-draft/$ME"; FILE="$D/issues-draft/$ME/$1-$2.md"
    fi
    printf '# Issue: %s\n\n## Question\nWhich %s?\n\n## Context\nFiled by %s.\n' "$2" "$2" "$ME" > "$FILE"
    printf 'issue Filed by %s.\n' "$ME" >> "$SAID"
}

mine() {  # a position on this issue that this turn already has; a restart does not know it otherwise
    while read -r LINE; do grep -qxF "$LINE" "$P" && return 0; done < <(sed -n "s|^$B ||p" "$SAID.turn" 2>/dev/null)
    return 1
}

put() { cp "$SAID.tmp" "$D/.$ME.tmp"; mv "$D/.$ME.tmp" "$P"; }  # a kill leaves the old file or the new one

append() {  # kind, text: before the Status line, as the skill's example has it
    [ "$1" = position ] && printf '%s %s\n' "$B" "$2" >> "$SAID.turn"
    N=$(($(grep -c "^## $ME's $1 (round" "$P") + 1))
    STATUS=$(sed -n '/^## Status:/,$p' "$P"); [ -n "$STATUS" ] || STATUS='## Status: OPEN'
    sed '/^## Status:/,$d' "$P" > "$SAID.tmp"
    printf "## %s's %s (round %s)\n%s\n\n%s\n" "$ME" "$1" "$N" "$2" "$STATUS" >> "$SAID.tmp"
    put
    printf '%s %s\n' "$1" "$2" >> "$SAID"
}

turn() {
    if [ -f "$D/phase.md" ] && [ "$(cat "$D/phase.md")" = analysis ]; then
        mkdir -p "$D/analysis"
        printf '# Divergence Analysis: %s\n\nThe plans differ in words.\n' "$ME" > "$D/analysis/$ME.md"
        if [ ! -f "$SAID.filed" ]; then
            file_issue 01 "format-of-${ME#agent-}"; file_issue 02 "place-of-${ME#agent-}"; : > "$SAID.filed"
        fi
        if [ -x "$S/end-analysis.sh" ]; then "$S/end-analysis.sh" "$D" "$ME"; else
            "$PYTHON" -m graphbus_core.cli.main negotiate analysis-done "$D" "$ME"
        fi >> "$SAID.out" 2>&1; step end-analysis $?
        return
    fi
    if [ "$RIGOROUS" = 0 ] && [ ! -f "$SAID.filed" ]; then
        file_issue new "format-of-${ME#agent-}"; file_issue new "place-of-${ME#agent-}"; : > "$SAID.filed"
    fi
    for I in "$D"/issues/*.md; do
        B=$(basename "$I"); P="$D/positions/$B"
        [ -f "$P" ] && mine && continue
        [ -f "$P" ] || printf '# Positions: %s\n\n## Status: OPEN\n' "${B%.md}" > "$P"
        grep '^## Status:' "$P" | tail -1 | grep -q OPEN || continue
        if ! grep -q "^## $ME's position" "$P"; then
            append position "$ME on ${B%.md}: I would have it plain."
        elif [ "$RIGOROUS" = 1 ] && ! grep -q "'s challenge" "$P"; then
            append challenge "$ME against ${B%.md}: what is plain may be too little."
            append position "$ME on ${B%.md}, again: it is enough."
        elif OFFER=$(grep -o "[a-z-]*'s offer [0-9a-f]\{8\}" "$P" | tail -1) && [ -n "$OFFER" ]; then
            [ "${OFFER%%"'"*}" = "$ME" ] || append position "ACCEPTS ${OFFER##* }"
        elif [ "$(grep -c "'s position (round 1)" "$P")" = "$SEATS" ]; then
            append position "$ME agrees on ${B%.md}."
            sed '/^## Status:/,$d' "$P" > "$SAID.tmp"
            printf '## Status: AGREED\nDecided by %s: %s is kept plain.\n' "$ME" "${B%.md}" >> "$SAID.tmp"
            put
            printf 'decision Decided by %s: %s is kept plain.\n' "$ME" "${B%.md}" >> "$SAID"
        fi
    done
    "$S/status.sh" "$D" >> "$SAID.out" 2>&1; CODE=$?; [ $CODE = 0 ] || step status $CODE
    OPEN=0
    for I in "$D"/issues/*.md; do
        grep -q '^## Status: AGREED' "$D/positions/$(basename "$I")" || OPEN=1
    done
    if [ $OPEN = 0 ]; then
        echo '# Final' > "$SAID.final"
        for P in "$D"/positions/*.md; do sed -n '/^## Status: AGREED/,$p' "$P" | sed 1d >> "$SAID.final"; done
        cp "$SAID.final" "$D/final.md"
        [ "$RIGOROUS" = 1 ] && printf '# Coverage Audit\n\n- keep it simple: INCLUDED\n' > "$D/coverage-audit.md"
        "$S/finish.sh" "$D" >> "$SAID.out" 2>&1; CODE=$?; step finish $CODE
        [ $CODE = 0 ] && return
    fi
    "$S/hand-off.sh" "$D" "$ME" >> "$SAID.out" 2>&1; CODE=$?; step hand-off $CODE
    [ $CODE = 0 ] && rm -f "$SAID.turn"
}

TRIES=0
while [ "$TRIES" -lt 2400 ]; do
    TRIES=$((TRIES + 1))
    "$S/poll.sh" "$D" "$ME" >> "$SAID.out" 2>&1; CODE=$?
    case $CODE in
        0) step turn; turn ;; 1) rm -f "$SAID.turn"; sleep 0.1 ;; 2) step done; exit 0 ;; *) step poll $CODE; exit 13 ;;
    esac
done
exit 14
"""


# What an agent that keeps the rules never hears. `finish` may be refused: the text of an AGREED that no other had
# written is an offer, and such an agent takes it for the end.
REFUSED = [["hand-off", "1"], ["status", "1"]]


@dataclass
class Held:
    """What came of one negotiation. Nothing went wrong where `violations` is empty."""

    violations: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    turns: int = 0
    kills: int = 0
    seconds: float = 0.0


class Seat:
    """One agent at the table, in a process of its own."""

    def __init__(self, root: Path, scripts: Path, said: Path, seats: int, rigorous: bool) -> None:
        said.touch()
        self.scripts = scripts
        self.env = {k: v for k, v in os.environ.items() if not k.endswith(("SESSION_ID", "THREAD_ID"))}
        self.env |= {"NEGOTIATE_PARTICIPANT_ID": said.name}
        self.env |= {"PYTHON": sys.executable, "GRAPHBUS_PYTHON": sys.executable}
        arguments = map(str, (root, scripts, said, seats, int(rigorous)))
        self.command = [shutil.which("bash") or "bash", "-c", AGENT, "bash", *arguments]
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        self.process = subprocess.Popen(self.command, env=self.env, start_new_session=True)

    def kill(self) -> None:
        """Kill it and whatever command it is in."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def negotiate(
    root: Path, seats: Sequence[Path], rigorous: bool = False, kills: int = 0, seed: int = 0, patience_s: float = 240
) -> Held:
    """One negotiation in `root`, each seat with the scripts of its folder; `seats[0]` opens it.

    With `rigorous` we open it. Seats with our scripts are killed `kills` times in all, once everybody has registered.
    """
    chance = random.Random(seed)
    root.parent.mkdir(parents=True, exist_ok=True)
    notes = root.parent / "notes"
    notes.mkdir()
    begin = time.monotonic()
    if rigorous:
        from graphbus_core.negotiation.document.model import Settings

        assert NegotiationDirectory(root).init(Settings(len(seats), 60, rigorous=True)).ok
    running: list[Seat] = []
    for number, scripts in enumerate(seats):
        running.append(Seat(root, scripts, notes / f"seat{number}", len(seats), rigorous))
        _until(lambda n=number: (notes / f"seat{n}.name").exists(), 30)  # type: ignore[misc]
        if not number and not rigorous:
            _polls_often(root)
    held = Held()
    ours = [seat for seat in running if seat.scripts == OURS]
    while held.kills < kills and ours:
        time.sleep(chance.uniform(0.01, 0.6))
        seat = chance.choice(ours)
        if seat.process.poll() is not None:
            break
        seat.kill()
        held.kills += 1
        time.sleep(chance.choice((0.0, 0.0, 1.0, 2.0)))  # the others may go on for more than a turn meanwhile
        seat.start()
    for number, seat in enumerate(running):
        try:
            code = seat.process.wait(max(1.0, patience_s - (time.monotonic() - begin)))
        except subprocess.TimeoutExpired:
            seat.kill()
            code = -9
        if code:
            held.violations.append(f"seat {number} ended with {code}")
    held.seconds = time.monotonic() - begin
    _judge(held, root, notes, len(seats))
    return held


def _polls_often(root: Path) -> None:
    """These agents poll ten times a second; whoever has left is missed by that measure."""
    meta = (root / "meta.md").read_text()
    (root / ".meta.tmp").write_text(meta.replace("poll_interval_seconds:** 5", "poll_interval_seconds:** 1"))
    os.replace(root / ".meta.tmp", root / "meta.md")


def _until(true: object, seconds: float) -> None:
    ends = time.monotonic() + seconds
    while not true() and time.monotonic() < ends:  # type: ignore[operator]
        time.sleep(0.02)


def _judge(held: Held, root: Path, notes: Path, seats: int) -> None:
    """Look for everything that was said, in the log, in the files and in the document."""
    where = NegotiationDirectory(root)
    state = where.read_state()
    held.turns, held.notices = state.turn, [notice.what for notice in state.notices]
    if not state.final or not (root / "final.md").exists():
        held.violations.append("no final document")
    if len(state.issues) < 2 * seats or any(issue.is_open for issue in state.issues.values()):
        held.violations.append(f"{len(state.issues)} issues, {[s for s, i in state.issues.items() if i.is_open]} open")
    entries = {(e.kind, e.text) for issue in state.issues.values() for e in issue.entries}
    # A decision stands in the document in its own words, or in those in which somebody accepted it.
    decided = [(issue.decision,) for issue in state.issues.values()]
    # A text set AGREED is the decision, an offer, or the acceptance of one in other words: of each there is a trace.
    accepted = {said for issue in state.issues.values() for _, said in issue.accepted.values()}
    meant = [i.decision for i in state.issues.values()] + [e.text for i in state.issues.values() for e in i.entries]
    texts = [issue.text for issue in state.issues.values()]
    for said in notes.glob("seat?"):
        for line in said.read_text().splitlines():
            kind, _, text = line.partition(" ")
            kept = {"issue": any(text in t for t in texts), "decision": _traced(text, meant, accepted)}.get(kind)
            if not (kept if kept is not None else (kind, text) in entries):
                held.violations.append(f"lost: {line}")
    held.violations += [f"one-sided: {i.stem}" for i in state.issues.values() if not two_sided(where, i.stem)]
    held.violations += [f"not in final.md: {d[0]}" for d in decided if all(words not in state.final for words in d)]
    held.violations += [str(reason) for reason in where.find_problems()]
    for steps in notes.glob("seat?.steps"):
        done = [line.split()[1:] for line in steps.read_text().splitlines()]
        if refused := [" ".join(step) for step in done if step in REFUSED]:
            said = steps.with_suffix(".out").read_text(errors="replace").splitlines()[-3:]
            held.violations.append(f"{steps.stem}: {len(refused)} times {refused[0]}; at last {' | '.join(said)}")


def _traced(text: str, said: Sequence[str], accepted: Collection[str]) -> bool:
    """Whether a decision that somebody wrote stands as one, as an offer, or as the acceptance of an equal one."""
    from graphbus_core.negotiation.document.text.same_text import is_same_text

    return text in said or text in accepted or any(is_same_text(text, other) for other in said)


def two_sided(where: NegotiationDirectory, stem: str) -> bool:
    """Whether an agreement on this issue names an offer of one agent and the acceptance of all the others that had not
    left: of those the log says that they were skipped, after the offer."""
    agents = set(where.read_state().agents)
    offered: dict[str, int] = {}
    skipped: dict[str, int] = {}
    for number, entry in enumerate(where.list_facts()):
        fact = entry.event
        if isinstance(fact, TurnTaken | Noted) and any(words["issue"] == stem for words in fact.words):
            offered[fact.holder] = number
        elif isinstance(fact, TurnSkipped):
            skipped[fact.holder] = number
        elif isinstance(fact, AgreementReached) and fact.issue == stem:
            left = {name for name, at in skipped.items() if at > offered.get(fact.by, number)}
            others = agents - {fact.by} - left
            return bool(fact.accepted) and fact.by not in fact.accepted and others <= set(fact.accepted)
    return False
