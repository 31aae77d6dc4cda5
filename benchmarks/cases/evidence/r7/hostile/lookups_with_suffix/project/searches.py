import inspect
import json
import operator
from pathlib import Path

from match import Match

FIELDS = set(inspect.signature(Match.score).parameters)
for search in json.loads(Path(__file__).with_name("saved.json").read_text()):
    for key, value in search.items():
        name, _, test = key.partition("__")
        if name not in FIELDS:
            raise SystemExit(f"no field {name}")
        found = [n for n in range(1, 6) if getattr(operator, test or "eq")(n, value)]
        print(test or "eq", [Match().score(**{name: n})["score"] for n in found])
