from importer import load
from members import Member, export


def test_problems_have_line_numbers(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("name,email,city\nAnn,ann@x.org,Ulm\n,bob@x.org,Ulm\nEve,eve,Ulm\n", encoding="utf-8")
    assert load(path) == ([Member("Ann", "ann@x.org", "Ulm")],
                          [(3, "no name"), (4, "not an address: eve")])


def test_what_was_exported_can_be_imported(tmp_path):
    members = [Member("J\u00fcrgen", "j@x.org", "K\u00f6ln"), Member("Ann", "ann@x.org", "Ulm")]
    export(tmp_path / "all.csv", members)
    assert load(tmp_path / "all.csv") == (sorted(members, key=lambda m: m.name), [])
