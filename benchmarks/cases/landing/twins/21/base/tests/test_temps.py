from temps import parse


def test_parse():
    assert parse('21.5C') == 21.5
