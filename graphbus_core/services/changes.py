"""Changes that a front end asks about: what a diff would do, before anybody is asked; and a commit taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphbus_core.analysis.scan import Project, scan
from graphbus_core.commit import CommitEngine
from graphbus_core.config import BuildConfig
from graphbus_core.services import build_command
from graphbus_core.services.build_command import resolve_config
from graphbus_core.services.errors import Conflict
from graphbus_core.services.queries.project import ProjectView
from graphbus_core.sessions.build.protection import resolve_protected

TRIAL_ID = "p-0000"  # nobody is asked about it, so it needs no id of its own


class Changes:
    """Dry runs of diffs, and undo. One at a time: each reads the whole project."""

    def __init__(self, project: ProjectView, output_dir: Path, is_building: Callable[[], bool]) -> None:
        self.project, self.output_dir, self.is_building = project, output_dir, is_building
        self._one = threading.Lock()

    def try_diff(self, diff: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What would become of a diff: its text, the gates, the links that it breaks and mends, who must agree.

        Nothing is written. It works beside a build that waits for an answer, because its state is a folder of its own.
        Raises Conflict where only artifacts were opened.
        """
        path = self._require_path()
        before = self.project.look()
        # A state folder of its own: a trial must not touch the records or the lock of a build that waits for an
        # answer.
        with self._one, TemporaryDirectory(prefix="graphbus-try-") as state:
            project = scan(str(path), self.project.include)
            with CommitEngine(project, self._build_trial_config(project, path, state)) as engine:
                receipt = engine.apply("prepare", {"proposal_id": TRIAL_ID, "diff": list(diff)})
        stood = {item.link.id for item in before.mismatches}
        now = {f"{item['producer']} => {item['consumer']}": item for item in receipt.get("mismatches", ())}
        passed = receipt["status"] == "prepared"
        # Of the diff and not of its result: an operation that cannot be applied still says whom it would concern.
        touched = {(str(op.get("node")), op.get("method")) for op in diff}
        return {
            "passes": passed,
            "gate": receipt["gate"] or None,
            "reason": receipt["reason"],
            "gates": [_describe_gate(item) for item in receipt["ends"]],
            "files": list(receipt["files"]),
            "unified_diff": receipt["unified_diff"],
            # A diff that fails a gate mends nothing, whatever the copy looked like when the gate stopped it.
            "mends": sorted(stood - set(now)) if passed else [],
            # Against what was broken before: a trial is not blamed for the mismatches it found there.
            "breaks": sorted(set(now) - stood),
            "asks": self._find_neighbours(touched),
            "notes": [str(item) for item in receipt["notes"]],
        }

    def _build_trial_config(self, project: Project, path: Path, state: str) -> BuildConfig:
        """What a build would hold a diff to: what is protected, which imports and which unproved gates may be.

        The user's own command is left out. It may take minutes, and a trial follows each key that is pressed.
        """
        build_settings = resolve_config(path, state, enable_agents=True)
        guarded, _ = resolve_protected(build_settings.safety_config.protected_files, project.root, project.files)
        return BuildConfig(
            root_package=str(path),
            output_dir=state,
            safety_config=replace(build_settings.safety_config, protected_files=guarded),
            allow_unproved=build_settings.allow_unproved,
        )

    def _find_neighbours(self, touched: set[tuple[str, Any]]) -> list[str]:
        """Who is at the other end of a link of a touched method: these must agree."""
        neighbours = set()
        for link in self.project.look().links:
            ends = [(link.producer.node, link.producer.method), (link.consumer.node, link.consumer.method)]
            for near_end, far_end in (ends, ends[::-1]):
                # Without a method the whole node is touched, so every link of it counts.
                if near_end in touched or (near_end[0], None) in touched:
                    neighbours.add(far_end[0])
        return sorted(neighbours - {node for node, _ in touched})

    def undo(self, proposal_id: str, dry_run: bool, allow_mismatches: bool) -> dict[str, Any]:
        """Take a committed proposal back, through the same gates. Raises NotFound-like UsageError, Conflict, Locked."""
        path = self._require_path()
        # An undo in the middle of a build would change the sources that its gates have just proved.
        if self.is_building():
            raise Conflict("A build is under way. Wait for it, or cancel it; then take the proposal back.")
        build_settings = resolve_config(path, self.output_dir, enable_agents=True)
        # What `graphbus undo` takes from the settings, and no more: what no agent may change, people may take back.
        config = BuildConfig(
            root_package=str(path),
            output_dir=str(self.output_dir),
            verify=build_settings.verify,
            git_commit=build_settings.git_commit,
            allow_unproved=build_settings.allow_unproved,
        )
        with self._one:
            receipt, notes = build_command.undo(config, proposal_id, prepare=dry_run, allow_mismatches=allow_mismatches)
        return {
            "proposal_id": proposal_id,
            "done": receipt["status"] == "committed",
            "passes": receipt["status"] in ("committed", "prepared"),
            "gate": receipt["gate"] or None,
            "reason": receipt["reason"],
            "gates": [_describe_gate(item) for item in receipt["ends"]],
            "files": list(receipt["files"]),
            "unified_diff": receipt["unified_diff"],
            "notes": [*(str(item) for item in receipt.get("notes", ())), *notes],
        }

    def _require_path(self) -> Path:
        if self.project.project_path is None:
            raise Conflict("Only artifacts were opened; to change sources, open the project's folder instead.")
        return self.project.project_path


def _describe_gate(gate_end: Mapping[str, Any]) -> dict[str, Any]:
    return {"gate": str(gate_end["gate"]), "end": str(gate_end["end"]), "why": str(gate_end.get("why", ""))}
