"""`undo_proposal`: take one commit back, whichever build made it. What `graphbus undo` does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graphbus_core.build.commit.back.targets import undo_target
from graphbus_core.build.commit.engine import CommitEngine
from graphbus_core.build.commit.land.settling import settle_alone
from graphbus_core.build.commit.proof.receipt import Told
from graphbus_core.build.scan import scan
from graphbus_core.config import BuildConfig


def undo_proposal(
    config: BuildConfig,
    proposal_id: str,
    *,
    prepare: bool = False,
    allow_mismatches: bool = False,
    root: str | None = None,
) -> tuple[Told, list[str]]:
    """Take a commit back; gives the receipt and the engine's notes. What `graphbus undo` does."""
    settled = settle_alone(Path(config.output_dir))
    config = replace(config, **undo_target(config.output_dir, proposal_id, root))
    project = scan(config.root_package, config.include_modules, config.exclude_modules).within(config.whole_project)
    with CommitEngine(project, config) as engine:
        receipt = engine.undo(proposal_id, prepare=prepare, allow_mismatches=allow_mismatches)
        return receipt, [*([settled] if settled else []), *engine.notes]
