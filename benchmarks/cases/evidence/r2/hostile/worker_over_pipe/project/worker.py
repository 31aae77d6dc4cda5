import json
import sys

from agents import Smelter

for line in sys.stdin:
    print(json.dumps(Smelter().melt(**json.loads(line))))
