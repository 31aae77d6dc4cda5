"""Changes that a front end asks about: what a diff would do, before anybody is asked; and a commit taken back."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.commit import CommitEngine
from graphbus_core.commit.gates import rehearsal, verify
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.proposal.impact import Impact, assess_impact
from graphbus_core.sandbox.scratch import copy_tree
from graphbus_core.services import build_command
from graphbus_core.services.build_command import resolve_config
from graphbus_core.services.errors import Conflict
from graphbus_core.services.queries.project import ProjectView
from graphbus_core.sessions.build.protection import resolve_protected
from graphbus_core.sessions.build.resumption import restore_running
from graphbus_core.sessions.build.seats import will_rules_sit
from graphbus_core.sessions.build.start import build_start
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.private_folders import open_private_folder

NEGOTIATION = "negotiation"  # named like a gate: what the rules of the negotiation refuse before anybody is asked


class Changes:
    """Dry runs of diffs, and undo. One at a time: each reads the whole project."""

    def __init__(self, project: ProjectView, output_dir: Path, is_building: Callable[[], bool]) -> None:
        self.project, self.output_dir, self.is_building = project, output_dir, is_building
        self._one = threading.Lock()

    def try_diff(
        self,
        diff: Sequence[Mapping[str, Any]],
        agent: str = "",
        with_rules: bool | None = None,
        call_methods: bool = True,
        after: Sequence[Sequence[Mapping[str, Any]]] = (),
    ) -> dict[str, Any]:
        """What would become of a diff: its text, the gates, the links that it breaks, mends and leaves, who must agree.

        `with_rules`: rules sit at the table that it would be put to, and their gates `flows` and `rehearsal` are asked
        as well; None: if a build would seat them. `call_methods`: the rehearsal, which takes a second, is not left to
        the build. `agent`: who proposes it; else whose class the first operation changes. `after`: diffs that are
        agreed on and not in the files yet: it is tried on top of them, save what cannot be carried out of them. Nothing
        is written. It works beside a build that waits for an answer, because its state is a folder of its own; what
        that build was asked for holds. Raises Conflict where only artifacts were opened.
        """
        path = self._require_path()
        author = agent or next((str(op.get("node")) for op in diff), "")
        # A state folder of its own: a trial must not touch the records or the lock of a build that waits for an
        # answer.
        with (
            self._one,
            TemporaryDirectory(prefix="graphbus-try-") as state,
            self._open_sources(path, state, after) as (project, config),
        ):
            with_rules = _would_seat_rules(project, config) if with_rules is None else with_rules
            linked = link_project(project)
            impact = assess_impact(build_start(project, linked, config), author, diff)
            with CommitEngine(project, config, rehearse=with_rules, only_tries=True) as engine:
                receipt, changes = engine.prepare_trial(diff, call_methods=call_methods and not impact.refusal)
        passed, gate, reason = receipt["status"] == "prepared", receipt["gate"] or None, receipt["reason"]
        if passed and impact.refusal:
            passed, gate, reason = False, NEGOTIATION, f"It would be put to nobody: {impact.refusal}."
        breaks: Collection[str] = impact.breaks if changes is None else [fault.link.id for fault in changes.worse]
        mends: Collection[str] = impact.mends if changes is None else changes.mended
        left: Sequence[Mapping[str, Any]] = impact.left if changes is None else changes.left
        gates = [_describe_gate(item) for item in receipt["ends"]]
        left_to_build = {rehearsal.GATE.name: with_rules and not call_methods, verify.GATE.name: bool(config.verify)}
        open_gates = [row for row in gates if passed and left_to_build.get(row["gate"]) and row["end"] == "not run"]
        return {
            "passes": passed,
            "verdict": _say_verdict(open_gates, mends, left, impact) if passed else f"It does not hold: {reason}",
            "open": open_gates,
            "gate": gate,
            "reason": reason,
            "gates": gates,
            "files": list(receipt["files"]),
            "unified_diff": receipt["unified_diff"],
            # A diff that fails a gate mends nothing, whatever the copy looked like when the gate stopped it.
            "mends": sorted(mends) if passed else [],
            "left": [dict(item) for item in left] if passed else [],
            "breaks": sorted(breaks),
            "unsent": list(impact.unsent) if passed else [],
            "never_sent": list(impact.never_sent) if passed else [],
            "asks": sorted(impact.asks),
            "why": dict(impact.asks),
            "notes": [str(item) for item in receipt["notes"]],
        }

    @contextmanager
    def _open_sources(
        self, path: Path, state: str, after: Sequence[Sequence[Mapping[str, Any]]]
    ) -> Iterator[tuple[Project, BuildConfig]]:
        """The sources to try a diff on: those of the project, or a copy in which `after` is carried out."""
        project = scan(str(path), self.project.include)
        config = self._build_trial_config(project, path, state)
        if not after:
            yield project, config
            return
        with open_private_folder("try") as folder:
            root = folder / "project"
            copy_tree(project.root, root, self.output_dir, project.files)
            place = root / os.path.relpath(os.path.realpath(path), os.path.realpath(project.root))
            config = replace(config, root_package=str(place))
            for diff in after:
                project = scan(str(place), self.project.include)
                with CommitEngine(project, config) as engine:
                    edited = engine.edit_unproved(diff)
                for name, text in edited.items():
                    if text is None:
                        (root / name).unlink(missing_ok=True)
                    else:
                        (root / name).parent.mkdir(parents=True, exist_ok=True)
                        write_atomic(root / name, text)
            yield scan(str(place), self.project.include), config

    def _build_trial_config(self, project: Project, path: Path, state: str) -> BuildConfig:
        """What a build would hold a diff to: what is protected, which imports and which unproved gates may be, which
        command has the last word. A build that is under way was perhaps told otherwise than the settings say."""
        settings = resolve_config(path, state, enable_agents=True)
        settings = restore_running(settings, self.output_dir)
        guarded, _ = resolve_protected(settings.safety_config.protected_files, project.root, project.files)
        return BuildConfig(
            root_package=str(path),
            output_dir=state,
            safety_config=replace(settings.safety_config, protected_files=guarded),
            allow_unproved=settings.allow_unproved,
            verify=settings.verify,
            intent=settings.intent,
            llm_config=settings.llm_config,
        )

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


def _would_seat_rules(project: Project, config: BuildConfig) -> bool:
    try:
        return will_rules_sit(project, config)
    except UsageError:
        return True  # a model that cannot be seated: no build begins, and nothing is said that rules would take back


def _say_verdict(
    open_gates: Sequence[Mapping[str, str]], mends: Collection[str], left: Sequence[Mapping[str, Any]], impact: Impact
) -> str:
    """The one line above a trial that passes: "It holds" only where nothing stays that does not fit, nothing is lost,
    and no gate is left that a proposal would meet. What was never sent stands beside it."""
    sentences = [*impact.unsent, *impact.never_sent]
    if left and not mends and not any(link["mended"] for link in left):
        sentences.insert(0, "It can be done, and mends nothing: what did not fit stays as it is.")
    elif left:
        sentences.insert(0, "It can be done, and does not mend all of it yet.")
    elif impact.unsent and not open_gates:
        sentences[0] = f"It can be done, but {sentences[0]}"
    else:
        sentences.insert(0, "It holds so far." if open_gates else "It holds.")
    if open_gates:
        not_known = "; ".join(f"{row['gate']} ({row['why']})" for row in open_gates)
        sentences.insert(1, f"Not known yet: {not_known}.")
    return " ".join(sentences)


def _describe_gate(gate_end: Mapping[str, Any]) -> dict[str, Any]:
    return {"gate": str(gate_end["gate"]), "end": str(gate_end["end"]), "why": str(gate_end.get("why", ""))}
