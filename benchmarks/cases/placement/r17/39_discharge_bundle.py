# pure
"""Keeps nothing: the files stand in a temporary folder that is gone when the answer is."""
from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from pathlib import Path
from string import Template

from graphbus_core import GraphBusNode, subscribe

LETTER = Template("Dear colleague,\n\n$patient was discharged from $ward.\nDiagnoses: $codes.\n")
FIXED = (1980, 1, 1, 0, 0, 0)


class Bundle:
    """A folder that is packed when it is complete."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []

    def put(self, name: str, text: str) -> None:
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        self.names.append(name)

    def pack(self) -> Path:
        archive = self.folder / "bundle.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            for name in sorted(self.names):
                packed.writestr(zipfile.ZipInfo(name, FIXED), (self.folder / name).read_bytes())
        return archive


class DischargeBundles(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._prefix = "discharge-"

    @subscribe("/Discharges")
    def on_discharge(self, patient: str, ward: str, codes: list[str]) -> dict[str, object]:
        with tempfile.TemporaryDirectory(prefix=self._prefix) as name:
            bundle = Bundle(Path(name))
            known = list(dict.fromkeys(code.strip().upper() for code in codes))
            bundle.put("letter.txt", LETTER.safe_substitute(patient=patient, ward=ward, codes=", ".join(known)))
            bundle.put("data/record.json", json.dumps({"ward": ward, "codes": known}, sort_keys=True))
            for code in known:
                if code.startswith("Z"):
                    bundle.put("data/followup.txt", f"{code}\n")
                    break
            packed = bundle.pack()
            with zipfile.ZipFile(packed) as archive:
                listing = {info.filename: f"{info.CRC:08x}" for info in archive.infolist()}
                broken = archive.testzip()
            digest = hashlib.blake2b(packed.read_bytes(), digest_size=8).hexdigest()
        return {"files": listing, "broken": broken, "digest": digest}
