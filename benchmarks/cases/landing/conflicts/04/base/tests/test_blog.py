from blog import url
from feed import entry


def test_url():
    assert url('Hello, World') == '/posts/hello-world'


def test_entry():
    assert entry({'title': 'A'})['title'] == 'A'
