"""A dry run that starts from a fact: the sources as they stood after it, in a copy that is thrown away.

What the files were then stands in the log, as digests; their texts are today's, or lie in the records of commits. Where
a text is nowhere, nothing is guessed: there is no fork.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.build.commit.back.history import records, unb64
from graphbus_core.build.confine.scratch import copy_tree
from graphbus_core.build.negotiate.protected import protected
from graphbus_core.build.scan import Project, scan
from graphbus_core.config import BuildConfig
from graphbus_core.files.private import private_folder
from graphbus_core.shown import few
from graphbus_core.stores.builds.negotiation_folder import ANSWERS, NegotiationFolder
from graphbus_core.workspace.does.options import asked
from graphbus_core.workspace.shows.errors import Conflict, NotFound

SHOWN = 3  # files named in a refusal
Within = Callable[[BuildConfig], AbstractContextManager[BuildConfig]]


@dataclass(frozen=True)
class Fork:
    """Where a dry run starts: the project today, what differs of it then, and what that negotiation was asked for."""

    project: Project
    texts: Mapping[str, bytes]  # of files that had another text
    later: frozenset[str]  # files that were not there yet
    asked: Mapping[str, Any]

    def config(self, path: Path, output_dir: Path, model: str | None) -> BuildConfig:
        """What the dry run is asked for: the intent, the goals and the rounds of the negotiation that it leaves.

        All else is as the project's settings say today, but that nobody is asked and git is told nothing.
        """
        return asked(
            path,
            output_dir,
            include=list(self.project.include or ()),
            enable_agents=True,
            dry_run=True,
            # Nothing of the user's is changed, so there is nothing to allow; and the copy is not a repository.
            approve=False,
            git=False,
            intent=self.asked["settings"].get("intent"),
            goal=list(self.asked["settings"].get("goals") or ()),
            model=[model] if model else None,
            rounds=self.asked["safety"].get("max_negotiation_rounds"),
        )

    @contextmanager
    def within(self, config: BuildConfig) -> Iterator[BuildConfig]:
        """The copy, for as long as the dry run takes. Its log comes to the project's own when it has ended: a half one
        would be offered to be resumed, and its sources are gone."""
        kept = NegotiationFolder(config.output_dir)
        with private_folder("fork") as folder:
            root = folder / "project"
            copy_tree(self.project.root, root, Path(config.output_dir), self.project.files)
            # Files that came later are taken away: a fork that sees them would negotiate about what nobody had then.
            for path in self.later:
                (root / path).unlink(missing_ok=True)
            for path, text in self.texts.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(text)
            # Links resolved: the package may be reached over one, and the copy has the real tree.
            place = os.path.relpath(os.path.realpath(config.root_package), os.path.realpath(self.project.root))
            _wait_for_an_id(kept)
            # As seen from the project: an absolute path names the user's file, which the copy does not have.
            guarded, _ = protected(config.safety_config.protected_files, self.project.root, self.project.files)
            safety = replace(config.safety_config, protected_files=guarded)
            yield replace(config, root_package=str(root / place), output_dir=str(folder / "out"), safety_config=safety)
            own = NegotiationFolder(folder / "out")
            for build_id in own.builds():
                if own.look(build_id).ended:
                    _keep(own, kept, build_id)


def fork_of(facts: list[dict[str, Any]], at: int, path: Path, output_dir: Path, include: Sequence[str] = ()) -> Fork:
    """The sources after fact number `at`. Raises NotFound for a fact that is not there, Conflict for a text that is
    not kept."""
    # Only proposals can be forked; a consent log has no sources.
    if not facts or facts[0]["kind"] != "negotiation_opened" or not 1 <= at <= len(facts):
        raise NotFound(f"There is no fact {at} of proposals to start from; the log has {len(facts)}.")
    # The files are digests of the opening, moved on by each receipt: the log alone says how things stood.
    then = dict(facts[0]["data"]["files"])
    for fact in facts[:at]:
        if fact["kind"] == "proposal_committed":
            then |= fact["data"]["receipt"].get("after", {})
    project = scan(str(path), include)
    other = {one: digest for one, digest in then.items() if project.files.get(one) != digest}
    # Records are read only where some file differs; usually none does.
    known = _kept_texts(output_dir) if other else {}
    # All or nothing. Today's text in place of a lost one would answer a question nobody asked.
    if lost := sorted(one for one, digest in other.items() if digest not in known):
        raise Conflict(
            f"There is no fork from fact {at}: {few(lost, SHOWN, what='more files')} had another text then, and no "
            "record of a commit holds it. Start from a later fact, or put the file back as it was."
        )
    texts = {one: known[digest] for one, digest in other.items()}
    return Fork(project, texts, frozenset(set(project.files) - set(then)), facts[0]["data"])


def _kept_texts(output_dir: Path) -> dict[str, bytes]:
    """Digest -> text, of all files before and after every commit that is on record."""
    found = {}
    for _, record in records(output_dir):
        for sides in record["files"].values():
            for side in ("before", "after"):
                text = unb64(sides[side])
                found[hashlib.sha256(text).hexdigest()] = text
    return found


def _wait_for_an_id(kept: NegotiationFolder) -> None:
    """Ids are seconds, and the copy does not know those of the project: begin in a second that has none."""
    # Ids are seconds: three are more than two commands that start together can use up.
    end = time.monotonic() + 3
    while time.monotonic() < end:
        now = time.strftime("build-%Y-%m-%d-%H%M%S", time.gmtime())
        if not kept.log_path(now).exists():
            return
        time.sleep(0.1)


def _keep(own: NegotiationFolder, kept: NegotiationFolder, build_id: str) -> None:
    kept.folder.mkdir(parents=True, exist_ok=True)
    if kept.log_path(build_id).exists():
        raise Conflict(f"There is a negotiation {build_id} already, so the dry run's log was dropped. Fork again.")
    for name in (ANSWERS, ".jsonl.head", ".jsonl"):  # the log last: who lists logs finds the rest beside it
        if (file := own.folder / f"{build_id}{name}").exists():
            shutil.copyfile(file, kept.folder / file.name)
