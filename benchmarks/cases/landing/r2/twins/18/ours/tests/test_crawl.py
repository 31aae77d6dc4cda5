from crawl import crawl


def test_crawl():
    assert crawl("a") == 9
