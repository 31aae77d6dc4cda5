from post import invite


def test_invite():
    assert invite('Kai') == 'Dear Kai, come at 8.'
