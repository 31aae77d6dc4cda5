"""Checks that the page finds all it reads in the answer."""
import json
import re
from pathlib import Path

from lift import Lift

answer = json.loads(json.dumps(Lift([2]).state()))
script = Path(__file__).with_name("page.js").read_text()
wanted = sorted(set(re.findall(r"\bdata\.(\w+)", script)))
lost = [name for name in wanted if name not in answer]
print(wanted)
raise SystemExit(f"undefined: {lost}" if lost else 0)
