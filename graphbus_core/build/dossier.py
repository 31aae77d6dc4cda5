"""Where a build's negotiation is kept on disk: its id, its log and its answers; the newest, the unfinished."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

FOLDER = "negotiations"
ANSWERS = ".answers.jsonl"


@dataclass(frozen=True)
class Dossier:
    """The two files of one negotiation: `log` is what everyone reads, `answers` what makes it reproducible."""

    build_id: str
    log: Path
    answers: Path

    @classmethod
    def of(cls, output_dir: Path, build_id: str) -> Dossier:
        """The files of this build id."""
        folder = output_dir / FOLDER
        return cls(build_id, folder / f"{build_id}.jsonl", folder / f"{build_id}{ANSWERS}")

    @classmethod
    def new(cls, output_dir: Path, now: datetime | None = None) -> Dossier:
        """Files that do not exist yet, under an id of the form in seed 000 (`build-2026-02-20-153042`)."""
        stem = f"build-{now or datetime.now(UTC):%Y-%m-%d-%H%M%S}"
        for number in range(1, 10_000):
            made = cls.of(output_dir, stem if number == 1 else f"{stem}-{number}")
            if not made.log.exists():
                made.log.parent.mkdir(parents=True, exist_ok=True)
                return made
        raise RuntimeError(f"10,000 builds under {stem}")


def dossiers(output_dir: Path) -> list[Dossier]:
    """Every negotiation of a project, newest first."""
    folder = output_dir / FOLDER
    logs = [p for p in folder.glob("build-*.jsonl") if not p.name.endswith(ANSWERS)] if folder.is_dir() else []
    return [Dossier.of(output_dir, p.stem) for p in sorted(logs, key=_age, reverse=True)]


def _age(path: Path) -> tuple[str, int]:
    parts = path.stem.split("-")
    return "-".join(parts[:5]), int(parts[5]) if len(parts) > 5 and parts[5].isdigit() else 1
