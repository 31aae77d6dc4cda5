import json
from pathlib import Path

scope = {"__name__": "__main__"}
for cell in json.loads(Path(__file__).with_name("lab.ipynb").read_text())["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), scope)
