"""The gates in their order, cheapest first (design §7), and the loop that runs them.

A mismatch becomes a byte on the disk by passing all of GATES, and in no other way. Taking a commit back passes
UNDO_GATES: it may change as many files as the commit did, and must restore the contracts that stood before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphbus_core.build.commit.proof.ends import End, Ended, Gate
from graphbus_core.build.commit.proof.gates import (
    contracts,
    imports,
    limits,
    mismatches,
    names,
    parses,
    path,
    rehearsal,
    still_true,
    types,
    verify,
)
from graphbus_core.build.commit.proof.trial import Trial

GATES: tuple[Gate, ...] = (
    limits.GATE,  # how many files, which are protected, no new dependency
    path.GATE,  # the door lets each file through
    parses.GATE,  # each file compiles, and the project can be scanned
    contracts.GATE,  # the contracts that changed are those that the operations declare, and none else
    mismatches.GATE,  # no link fits worse than before
    names.GATE,  # every name is defined, every attribute there, every path gives what was promised
    types.GATE,  # the type checker finds nothing new anywhere in the project
    imports.GATE,  # the changed modules import, and what imports them
    rehearsal.GATE,  # where rules negotiate: the changed methods take what they may be sent
    verify.GATE,  # the user's own command agrees
    still_true.GATE,  # every file that a gate read is what it was
)
UNDO_GATES: tuple[Gate, ...] = (
    path.GATE,
    parses.GATE,
    contracts.RESTORED,  # the contracts that stood before the commit stand again
    mismatches.UNDOING,  # as above, unless --allow-mismatches
    types.UNDOING,
    imports.GATE,
    verify.GATE,
    still_true.GATE,
)


def prove(gates: tuple[Gate, ...], trial: Trial) -> Iterator[Ended]:
    """Ask the gates one after the other, up to the first that refuses. One that is required and could not be run
    refuses, unless the user allowed it by name."""
    for gate in gates:
        ended = gate(trial)
        if ended.end is End.NOT_RUN and gate.required(trial) and gate.name not in trial.config.allow_unproved:
            ended = ended.blocked()
        yield ended
        if ended.end is End.REFUSED:
            return
