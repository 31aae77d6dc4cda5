from http2 import header, parse


def test_header():
    assert header(parse(['Host: a']), 'Host') == 'a'
