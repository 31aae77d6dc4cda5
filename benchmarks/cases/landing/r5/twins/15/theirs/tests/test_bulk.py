from crm.bulk import import_people


def test_import(tmp_path):
    assert import_people(tmp_path / "crm.db", "ann\n\n bo \n") == 2


def test_import_nothing(tmp_path):
    assert import_people(tmp_path / "crm.db", "\n") == 0
