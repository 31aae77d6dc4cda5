"""One run of the user's command for several commits that touch different files; halves tell apart who breaks it.

Only `verify` is shared: it takes minutes, every other gate a moment. Each commit still passes all others by itself, on
the files as they stand in its turn, and has a receipt of its own, which names those that were in the same run.
"""

# Theory of operation
# -------------------
#
# A round has agreed on p-1 … p-8. One after the other, the user's tests run sixteen times. Where the eight touch
# different files, they are put into one copy, and the tests run once. If that run says yes, it is the word for all
# eight: each lands in its turn, in the order of the log, as it would have alone.
#
#     run with p-1 … p-8: no      ──>  run with p-1 … p-4: yes      p-1 to p-4 land on that word
#     (p-8 is `_fails_at`)             run with p-5, p-6: no        p-5 is proved alone, and refused or lands
#                                      …                            then what is left of the eight is one group again
#
# What is on trial is always the first of the group, on the files as they stand, so a run answers the question that is
# open now. What is known to fail (`_fails_at`: everything up to there) is not run again, only halved: log2 n runs more
# for one culprit, and the culprit is refused in a run of its own, with its own output.
#
# When a word holds. It was given for certain bytes: the project's files as the copies had them, and the changes. In its
# turn a commit may use it only where the files are those bytes with the earlier members in, and its own change is the
# one that was tried. Somebody edited a file, a member fell, a rename reached further: then it is proved alone.
#
# Why a test file keeps a change out of a group. A test that a change touches has no say on it. In a group it would have
# no say on the others either, and a change could hide behind a neighbour that rewrites the test.
#
# What is owed. The word for p-1 was given with p-2 in the copy. If p-2 does not land after all (a vote moved its
# ground, somebody said stop), nobody has tried p-1 without it. That is tried at the end, and said where it fails.
#
# Not with `--git`, whose every commit is to be one that passed alone; not where a person approves one by one.

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from graphbus_core.commit.gates import verify
from graphbus_core.commit.gates.order import GATES, run_gates
from graphbus_core.commit.gates.receipt import Receipt
from graphbus_core.commit.gates.trial import Gate, GateAnswer, GateStatus, Trial
from graphbus_core.editing.scope import is_test_file
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.operation import Operation
from graphbus_core.sandbox.path_guard import PathGuard

MAX_MEMBERS = 8  # changes in one run: a larger group fails more often than it saves runs
GATES_BEFORE_VERIFY: tuple[Gate, ...] = GATES[: GATES.index(verify.GATE)]  # what each must pass before it may join

About = Mapping[str, Any]
AppliedDiff = tuple[Sequence[Operation], Edited, PathGuard]


@dataclass(frozen=True)
class BatchMember:
    """A change that may share a run."""

    proposal_id: str
    diff: Sequence[Operation]
    applied: Edited
    door: PathGuard


@dataclass(frozen=True)
class BatchVerdict:
    """What one run said of several changes. `stood`: the digests of the project's files, as its copies had them."""

    stood: Mapping[str, str | None]
    members: tuple[BatchMember, ...]
    said: GateAnswer

    def find_answer(self, proposal_id: str, trial: Trial) -> GateAnswer | None:
        """What it says of this change in its turn; None where it was given for other bytes."""
        now = dict(self.stood)
        for member in self.members:
            if member.proposal_id == proposal_id:
                same = member.applied.after == trial.applied.after and now == trial.seen
                return self._build_answer(proposal_id) if same else None
            now |= {p: hashlib.sha256(data).hexdigest() for p, data in member.applied.after.items()}
            now = {p: digest for p, digest in now.items() if p not in member.applied.removed}
        return None

    def _build_answer(self, proposal_id: str) -> GateAnswer:
        others = [member.proposal_id for member in self.members if member.proposal_id != proposal_id]
        note = f"in one run with {', '.join(others)}, which touch{'es' if len(others) == 1 else ''} other files"
        end, why, *details = self.said
        return end, f"{why}; {note}" if why else note, dict(details[0]) if details else {}


@dataclass
class SharedRuns:
    """The runs that the commits of one build share. `open_` and `trial_` are the engine's own."""

    open_: Callable[[About], Receipt | AppliedDiff]
    trial_: Callable[..., Trial]
    _word: BatchVerdict | None = None
    _fails_at: str = ""  # with all up to this one in, the run says no
    _fit: dict[str, bool] = field(default_factory=dict)  # change -> whether it passes by itself what comes before
    _owed: list[BatchMember] = field(default_factory=list)  # landed on a word of which not all have landed

    def run_with_others(self, about: About, trial: Trial) -> GateAnswer | None:
        """What a run with others says of this change; None where it is to be run alone."""
        pid = str(about["proposal_id"])
        if self._word is not None and (result := self._word.find_answer(pid, trial)) is not None:
            return result
        ahead = [BatchMember(pid, trial.diff, trial.applied, trial.door), *self._find_companions(about, trial)]
        while group := self._select_group(ahead):
            with ExitStack() as stack:
                union = self.trial_(about, *_join_members(group), stack)
                answer = _ask_verify(union)
            if trial.bounds.stop is not None and trial.bounds.stop.is_set():
                return None  # a run that was cut off has no say
            if answer[0] is GateStatus.TESTED:
                self._word = BatchVerdict(dict(union.seen), tuple(group), answer)
                return self._word.find_answer(pid, trial)
            if answer[0] is GateStatus.NOT_RUN:
                return None
            self._fails_at = group[-1].proposal_id
        return None

    def note_landed(self, proposal_id: str) -> None:
        """A change was written; where it rests on a word, so do the others."""
        members = self._word.members if self._word is not None else ()
        self._owed += [member for member in members if member.proposal_id == proposal_id]
        if members and {member.proposal_id for member in members} <= {member.proposal_id for member in self._owed}:
            self._owed = [member for member in self._owed if member not in members]

    def verify_incomplete_batches(self) -> str | None:
        """What was tried only with others that did not land, where it does not hold without them; None where it does.

        Asked once, after the last commit.
        """
        owed, self._owed = self._owed, []
        if not owed:
            return None
        diff, applied, door = _join_members(owed)
        # A later round may have gone on with their files: asked is what stands now.
        stands = {path: now for path in applied.after if (now := door.read_file(path)) is not None}
        with ExitStack() as stack:
            answer = _ask_verify(self.trial_({}, diff, replace(applied, after=stands), door, stack))
        if answer[0] is not GateStatus.REFUSED:
            return None
        names = ", ".join(member.proposal_id for member in owed)
        them = "They were" if len(owed) > 1 else "It was"
        return (
            f"{names}: committed, and the command of --verify says no now. {them} tried in one run with others that "
            f"did not land. {answer[1]}\nTake back what is wrong: graphbus undo {owed[-1].proposal_id}."
        )

    def _select_group(self, ahead: Sequence[BatchMember]) -> Sequence[BatchMember]:
        """Whom to try together now; nobody where the first is to be tried alone."""
        names = [member.proposal_id for member in ahead]
        many = len(names)
        if self._fails_at in names:
            many = (names.index(self._fails_at) + 1) // 2
        else:
            self._fails_at = ""
        return ahead[:many] if many > 1 else ()

    def _find_companions(self, about: About, trial: Trial) -> Iterator[BatchMember]:
        """Those whose turn comes next, up to the first that shares a file or touches a test."""
        taken_files = set(trial.files)
        if any(is_test_file(path) for path in taken_files):
            return
        joined = 1
        for candidate in about.get("alongside") or ():
            bounds = about.get("limits") or {}
            changed = sorted({*(bounds.get("files_changed") or ()), *taken_files})
            candidate_about = {**about, **candidate, "limits": {**bounds, "files_changed": changed}}
            opened = self.open_(candidate_about)
            if isinstance(opened, Receipt):
                continue  # it falls in its turn, and changes nothing
            files = set(opened[1].after)
            if joined == MAX_MEMBERS or files & taken_files or any(is_test_file(path) for path in files):
                return
            if self._can_join(candidate_about, opened):
                joined += 1
                taken_files |= files
                yield BatchMember(str(candidate["proposal_id"]), *opened)

    def _can_join(self, about: About, opened: AppliedDiff) -> bool:
        """Whether it passes by itself every gate before. A group is halved again for each member that cannot land."""
        key = hashlib.sha256(repr((about["proposal_id"], sorted(opened[1].after.items()))).encode()).hexdigest()
        if key not in self._fit:
            with ExitStack() as stack:
                ends = list(run_gates(GATES_BEFORE_VERIFY, self.trial_(about, *opened, stack)))
            self._fit[key] = ends[-1].end is not GateStatus.REFUSED
        return self._fit[key]


def _ask_verify(trial: Trial) -> GateAnswer:
    _ = trial.scratch  # the copy says which files there are, tests among them
    return verify.ask(trial)


def _join_members(members: Sequence[BatchMember]) -> AppliedDiff:
    """Changes of different files as one."""
    applied = Edited(
        {path: data for member in members for path, data in member.applied.before.items()},
        {path: data for member in members for path, data in member.applied.after.items()},
        created=frozenset().union(*(member.applied.created for member in members)),
        removed=frozenset().union(*(member.applied.removed for member in members)),
    )
    return [op for member in members for op in member.diff], applied, members[0].door
