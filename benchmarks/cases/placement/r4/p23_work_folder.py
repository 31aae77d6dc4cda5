# pure
"""Packs files and lists the pack."""
from graphbus_core import GraphBusNode, subscribe
import io
import tempfile
import zipfile
from pathlib import Path


class BundleNode(GraphBusNode):
    @subscribe("/In")
    def on_pack(self, event):
        pack = io.BytesIO()
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            for path, text in event["files"].items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            with zipfile.ZipFile(pack, "w") as z:
                for p in sorted(root.rglob("*")):
                    if p.is_file():
                        z.write(p, p.relative_to(root).as_posix())
        with zipfile.ZipFile(pack) as z:
            return {"names": z.namelist(), "total": sum(i.file_size for i in z.infolist())}
