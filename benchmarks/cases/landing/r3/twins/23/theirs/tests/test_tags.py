import pytest

from bookmarks.repo import Repo
from bookmarks.tags import SameTag, counts, merge_tags


def test_merge_tags():
    repo = Repo(":memory:")
    for url, tag in (("http://a", "news"), ("http://b", "paper"), ("http://c", "paper")):
        repo.save(url, tag)
    assert merge_tags(repo, "paper", "news") == 2
    assert repo.tagged("news") == ["http://a", "http://b", "http://c"]
    assert counts(repo) == {"news": 3}


def test_same():
    with pytest.raises(SameTag):
        merge_tags(Repo(":memory:"), "a", "a")
