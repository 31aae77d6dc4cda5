from conf import settings


def test_name():
    assert settings['name'] == 'resizer'
