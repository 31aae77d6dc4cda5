from config import Config
from loop import Loop

TAKES = {"evaluation_strategy": "eval_strategy", "steps": "steps"}

for text in ("eval=steps steps=300", "eval=epoch steps=50", "eval=no steps=9"):
    parsed = Config().parse(text)
    arguments = {ours: parsed[theirs] for ours, theirs in TAKES.items()}
    print(Loop().plan(**arguments)["at"])
