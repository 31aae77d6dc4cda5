from clinic.records import load


def test_name():
    assert load('Ana;555;mon')['name'] == 'Ana'
