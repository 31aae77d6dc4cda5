import json
from pathlib import Path

settings = json.loads((Path(__file__).parent / 'settings.json').read_text())
