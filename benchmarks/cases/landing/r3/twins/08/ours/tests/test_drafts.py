from notes.drafts import Drafts


class Folder(dict):
    """Stands for a store."""

    def load(self, name):
        if name not in self:
            raise FileNotFoundError(name)
        return self[name]

    save = dict.__setitem__
    remove = dict.pop


def test_order_of_the_fallbacks():
    drafts = Drafts(Folder(a={"title": "draft"}), Folder(a={"title": "old"}, b={"title": "B"}))
    assert drafts.open("a")["title"] == "draft"
    assert drafts.open("b")["title"] == "B"
    assert drafts.open("c") == {"title": "c", "text": ""}


def test_publish():
    drafts = Drafts(Folder(a={"title": "new"}), Folder())
    drafts.publish("a")
    assert drafts.published.load("a") == {"title": "new"}
    assert drafts.drafts == {}
