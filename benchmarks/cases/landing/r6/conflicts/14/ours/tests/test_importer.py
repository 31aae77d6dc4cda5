from importer import import_csv
from subscribers import Subscribers


def test_import():
    s = Subscribers()
    assert import_csv(s, "name,email\nAnn,ann@example.org\nBob,none\nCy,cy@example.org\n") == 2
    assert len(s) == 2
