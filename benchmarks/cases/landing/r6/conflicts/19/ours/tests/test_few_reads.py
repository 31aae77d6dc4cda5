from prices import Prices


class Db(dict):
    reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)


def test_one_read_per_sku():
    db = Db({"price/pen": "3"})
    p = Prices(db)
    assert p.get("pen") + p.get("pen") == 6
    assert db.reads == 1
