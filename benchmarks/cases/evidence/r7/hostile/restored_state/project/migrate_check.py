import json
from pathlib import Path

from bookmark import Bookmark

for file in sorted(Path(__file__).with_name("states").iterdir()):
    bookmark = Bookmark()
    bookmark.set_state(json.loads(file.read_text()))
    print(file.name, bookmark.get_state() == json.loads(file.read_text()))
