import importlib
import json
from pathlib import Path

registry = importlib.import_module("exposure").REGISTRY
for entry in json.loads(Path(__file__).with_name("presets.json").read_text()):
    tool = registry[entry["tool"]]()
    print(entry["name"], getattr(tool, entry["call"])(**entry["with"]))
