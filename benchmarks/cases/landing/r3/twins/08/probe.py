import tempfile

from notes.drafts import Drafts
from notes.store import Store

with tempfile.TemporaryDirectory() as folder:
    drafts = Drafts(Store(folder + "/drafts"), Store(folder + "/public"))
    drafts.published.save("a", {"title": "A", "text": "x"})
    assert drafts.open("a") == {"title": "A", "text": "x"}
    assert drafts.open("b") == {"title": "b", "text": ""}
