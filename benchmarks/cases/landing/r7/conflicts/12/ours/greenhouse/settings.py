import json
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "greenhouse.json"


def load(path=FILE):
    return json.loads(Path(path).read_text())
