# pure
"""Keeps nothing: the folder is made for one event and removed with it."""
import json
import os
import tempfile
import zipfile
import zlib
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe


class Workspace:
    def __init__(self) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="survey-")
        self.root = Path(self._temporary.name)
        self.counter = 0

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(self, *problem: object) -> None:
        self._temporary.cleanup()

    def store(self, station: str, samples: list[float]) -> Path:
        self.counter += 1
        drawer = station[:1].lower() if station[:1].isalnum() else "other"
        target = self.root / drawer / f"{self.counter:03d}.json"
        target.parent.mkdir(exist_ok=True)
        partial = target.with_suffix(".part")
        partial.write_text(json.dumps({"station": station, "samples": samples}, sort_keys=True), encoding="utf-8")
        os.replace(partial, target)
        return target

    def pack(self) -> Path:
        archive = self.root / "all.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for path in sorted(self.root.rglob("*.json")):
                info = zipfile.ZipInfo(path.relative_to(self.root).as_posix(), (2020, 1, 1, 0, 0, 0))
                out.writestr(info, path.read_bytes())
        return archive


class SurveyArchive(GraphBusNode):
    @subscribe("/Survey/Samples")
    def on_samples(self, stations: dict[str, list[float]]) -> dict[str, object]:
        with Workspace() as work:
            for station, samples in stations.items():
                work.store(station, samples)
            with zipfile.ZipFile(work.pack()) as archive:
                names = archive.namelist()
                checks = [zlib.crc32(archive.read(name)) for name in names]
        return {"files": names, "checks": [f"{check:08x}" for check in checks], "count": work.counter}
