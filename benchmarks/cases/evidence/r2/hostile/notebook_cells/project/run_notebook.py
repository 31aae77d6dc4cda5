import json
from pathlib import Path

space = {}
book = json.loads((Path(__file__).parent / "cruise.ipynb").read_text())
for cell in book["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), space)
