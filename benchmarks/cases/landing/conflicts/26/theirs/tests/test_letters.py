from letters import salutation


def test_hi():
    assert salutation('Ada L', formal=False) == 'Hi Ada,'
