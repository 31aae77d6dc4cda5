from store import prune


def test_prune_names():
    assert prune({'a': 9, 'b': 1}, 5) == ['a']
