from seedbank.importer import import_accessions
from seedbank.store import Store


def test_import(tmp_path):
    store = Store(tmp_path / "seeds.db")
    assert import_accessions(store, ["name,grams", "rye,120", "spelt,80"]) == 2
    assert store.grams("rye") == 120
    assert store.grams("spelt") == 80
