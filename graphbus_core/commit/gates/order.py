"""The gates in their order, cheapest first (design §7), and the loop that runs them.

A mismatch becomes a byte on the disk by passing all of GATES, and in no other way. Taking a commit back passes
UNDO_GATES: it may change as many files as the commit did, and must restore the contracts that stood before it.
"""

# Theory of operation
# -------------------
#
# Somebody agreed on a diff. Between that and a changed byte lies one question: is it what was agreed, and does
# everything that held before still hold? A gate is one part of the question. It looks at a `Trial` (the change, the
# project before it, copies to try it in) and ends in one of four ways:
#
#     proved    it holds for every input: contracts, parsing, types
#     tested    it held for everything that was tried: a rehearsal, the user's tests
#     not run   it could not be asked, and says why
#     refused   it does not hold, and says why to whoever proposed it
#
# The difference between the first two is printed everywhere, because only the first is a promise. `not run` is not a
# yes: a required gate that could not be asked blocks the commit unless the user allows that gate by name. A missing
# import once made the rehearsal pass unseen; that is what this rule is for.
#
# The road of a change:
#
#     agreed diff ──> applied in memory (edit/) ──> Trial ──> GATES, in order ──> Receipt ──> all files, or none (land/)
#                           │                                     │
#                           └── cannot be followed: refused       └── the first that refuses ends it; the files are
#                               with the lines                        as they were, because nothing was written
#
# Why in this order. Gates cost more and more, from microseconds (limits) to the user's whole suite; the last alone is
# cheap again, and says why below. Each also rests on those before it: a contract can be compared only where the file
# parses, a module is imported only where no contract broke, code runs only where it imports. So the first refusal is
# also the plainest reason.
#
# Why scratch copies. Code of a proposal may be hostile, or only wrong. It runs in a copy of the project, confined
# (confine/), and a copy in which code has run is never read or written again: the next gate gets a copy of its own. A
# link that the code planted in its copy has nowhere to lead to.
#
# Why `still true` comes last. The user's tests take minutes, and people edit meanwhile. Every file that a gate read is
# hashed again right before the write; one that changed sends the commit back to its gates. Without it a consumer that
# was edited during `--verify` would be broken by a commit that was proved against its old text.
#
# Why a baseline. The project may have faults of its own: a module that does not import, a name that is undefined. They
# are not held against the change. Gates that could find such faults look at the project without the change as well, and
# count what is new.
#
# Why a crash between any two steps is safe. Gates write nothing of the project, so a build that dies among them leaves
# it as it was, and the effect is run again from its start. The write itself is one transaction (commit/transaction.py
# has the table of its steps). The record of a commit is in the same transaction as its files: so when the effect is run
# again, `CommitHistory.find_receipt` finds either both, and gives the same receipt again, or neither, and nothing has
# happened.
#
# What may stop it. `stop()` (a person's Ctrl-C) ends what runs in another thread, up to the moment when files are being
# written. A gate that was cut off has no say, neither for nor against. From the write on it is carried through: half of
# a commit is the one thing that nobody can use.
#
# What a receipt says: each gate that was asked and how it ended, and of the one that refused its reason, in words that
# the proposer can act on. It becomes a fact of the negotiation. So nobody has to run a gate again to know what it said.
#
# Undo is a change like any other, with a list of its own. It may change as many files as the commit did (no `limits`),
# and brings back text that was looked at when it was written (no `characters`, `names`, `flows` or `rehearsal`). It
# must restore the contracts that stood before, where a commit must produce those that its operations declare. A link
# may break again where the user allows that (`--allow-mismatches`), and `types` only tells what it finds: it stood
# there before.
#
# try(diff) asks the gates up to `imports`, before anybody is bothered with a proposal (trying.py says why `mismatches`
# is not among them). No shortcut: the full list runs again at the commit, because the ground may have moved, and
# because what was tried was tried alone.
#
# One run for several. The user's command takes minutes; commits of a round that touch different files share its run
# (together.py), and only that gate. Every other one is asked of each commit alone, on the files as they stand.
#
# Adding a gate: a file in gates/ with one `Gate`, whose `ask` ends with `proved`, `held`, `report_not_run` or
# `refused`; a line in GATES at the place that its cost gives it; a test that is red without it.

from __future__ import annotations

from collections.abc import Iterator

from graphbus_core.commit.gates import (
    characters,
    contracts,
    flows,
    freshness,
    imports,
    limits,
    mismatches,
    names,
    parses,
    path,
    rehearsal,
    types,
    verify,
)
from graphbus_core.commit.gates.trial import Gate, GateResult, GateStatus, Trial

GATES: tuple[Gate, ...] = (
    limits.GATE,  # how many files, which are protected, no new dependency
    path.GATE,  # the door lets each file through
    characters.GATE,  # the added text reads as it runs
    parses.GATE,  # each file compiles, and the project can be scanned
    contracts.GATE,  # the contracts that changed are those that the operations declare, and none else
    mismatches.GATE,  # no link fits worse than before
    names.GATE,  # every name is defined, every attribute there, every path gives what was promised
    flows.GATE,  # where rules rename: interpreted, the project does what it did before
    types.GATE,  # the type checker finds nothing new anywhere in the project
    imports.GATE,  # the changed modules import, and what imports them
    rehearsal.GATE,  # where rules negotiate: the changed methods take what they may be sent
    verify.GATE,  # the user's own command agrees
    freshness.GATE,  # every file that a gate read is what it was
)
UNDO_GATES: tuple[Gate, ...] = (
    path.GATE,
    parses.GATE,
    contracts.UNDO_GATE,  # the contracts that stood before the commit stand again
    mismatches.UNDO_GATE,  # as above, unless --allow-mismatches
    types.UNDO_GATE,
    imports.GATE,
    verify.GATE,
    freshness.GATE,
)


def run_gates(gates: tuple[Gate, ...], trial: Trial) -> Iterator[GateResult]:
    """Ask the gates one after the other, up to the first that refuses. One that is required and could not be run
    refuses, unless the user allowed it by name."""
    for gate in gates:
        result = gate(trial)
        if result.end is GateStatus.NOT_RUN and gate.required(trial) and gate.name not in trial.config.allow_unproved:
            result = result.block()
        yield result
        if result.end is GateStatus.REFUSED:
            return
