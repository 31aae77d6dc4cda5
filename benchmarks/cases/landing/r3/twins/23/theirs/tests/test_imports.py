from bookmarks.imports import import_lines
from bookmarks.repo import Repo


def test_import_is_kept(tmp_path):
    repo = Repo(tmp_path / "db")
    assert import_lines(repo, ["http://a\tnews\n", "\n", "http://b\n"]) == 2
    repo.close()
    again = Repo(tmp_path / "db")
    assert again.tagged("news") == ["http://a"] and again.tagged("unsorted") == ["http://b"]
