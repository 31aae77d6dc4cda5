import json
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

import seq


class Annotation(GraphBusNode):
    """Writes the feature table and reads it back as the viewer will."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Genome/Contig/Assembled")
    def annotate(self, contig: str, sequence: str) -> dict[str, object]:
        bases = sequence.upper().replace("U", "T")
        length, protein = seq.longest_orf(bases)
        with tempfile.TemporaryDirectory() as box:
            table = Path(box, "features.jsonl")
            with table.open("a") as f:
                for kind, value in (("orf", length), ("protein", protein), ("gc", sum(b in "GC" for b in bases))):
                    print(json.dumps({"contig": contig, kind: value}), file=f)
            records = [json.loads(line) for line in table.read_text().splitlines()]
        merged: dict[str, object] = {}
        for record in records:
            merged |= record
        return {"records": len(records), "features": merged}
