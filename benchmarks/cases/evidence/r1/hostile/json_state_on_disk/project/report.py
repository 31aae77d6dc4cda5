import json

from stats import Stats

print(json.loads(Stats().saved())["guests"], "yesterday")
