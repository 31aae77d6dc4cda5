"""The word that a class goes by in all that is written down: `proposal_tabled` for ProposalTabled."""

from __future__ import annotations

import re


def word_of(cls: type) -> str:
    """The class's name in snake case. Logs and diffs carry it, so a renamed class must go on saying its old word."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
