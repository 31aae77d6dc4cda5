import pathlib
import tempfile

from bookmarks.imports import import_lines
from bookmarks.repo import Repo
from bookmarks.tags import merge_tags

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "db"
    repo = Repo(path)
    import_lines(repo, ["http://a\tpaper"])
    assert merge_tags(repo, "paper", "news") == 1
    repo.close()
    again = Repo(path)
    kept = again.tagged("news")
    again.close()
assert kept == ["http://a"], "the merge of the tags is lost"
