"""Probing."""

from net import open_url


def host(url):
    return url.split("/")[0]
