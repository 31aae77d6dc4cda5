from bookmark import Bookmark
from reader import Reader


def test_put():
    where = Reader().chapter(2)
    bookmark = Bookmark()
    assert bookmark.put(position=where["page"]) == {"kept": 21}
