import json
import subprocess
import sys

from agents import Miner, Smelter

lines = '{"tons": 80}\n{"tons": 8}\n'
done = subprocess.run([sys.executable, "-B", "worker.py"], input=lines, capture_output=True, text=True)
print([json.loads(x)["bars"] for x in done.stdout.splitlines()])
dug = Miner().dig(shaft=2)
print(Smelter().melt(tons=dug["ore"])["bars"])
