"""Which negotiation was a dry run, for who asks after a commit that never was one."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.errors import LogDamaged
from graphbus_core.negotiation.proposal.said.events import EVENTS
from graphbus_core.negotiation.proposal.told.projection import NegotiationLog
from graphbus_core.stores.builds.negotiation_folder import NegotiationFolder
from graphbus_core.stores.log_reading import LogReader


def dry_run_of(output_dir: Path, proposal_id: str) -> str:
    """The newest build whose dry run would have committed this proposal; nothing where there is none."""
    store = NegotiationFolder(output_dir)
    for build_id in reversed(store.builds()):
        try:
            log = NegotiationLog(LogReader(store.log_path(build_id), EVENTS), build_id)
        # A damaged log says nothing of dry runs; `log verify` says what is wrong with it.
        except LogDamaged:
            continue
        if log.dry_run and proposal_id in log.committed:
            return build_id
    return ""
