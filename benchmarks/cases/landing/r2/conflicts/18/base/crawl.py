"""Crawling."""

from net import open_url


def crawl(url):
    return open_url(url, timeout=9)[1]
