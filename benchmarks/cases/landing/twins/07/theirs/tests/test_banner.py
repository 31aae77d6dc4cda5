from banner import banner


def test_banner():
    assert banner('hey') == 'hey'
