from graphbus_core import GraphBusNode, subscribe

from defaults import RANGES, SCHEMA
from merging import flatten


class ValidateNode(GraphBusNode):
    @subscribe("/Validate")
    def on_settings(self, settings: dict) -> dict:
        problems = []
        flat = flatten(settings)
        for path, value in sorted(flat.items()):
            wanted = SCHEMA.get(path)
            if wanted is None:
                problems.append(f"{path}: unknown")
            elif type(value) is not wanted:
                problems.append(f"{path}: {wanted.__name__} wanted")
            elif path in RANGES:
                low, high = RANGES[path]
                if not low <= value <= high:
                    problems.append(f"{path}: not in {low}..{high}")
        missing = [path for path in SCHEMA if path not in flat]
        return {"ok": not problems, "problems": problems, "missing": missing}
