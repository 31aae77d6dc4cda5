"""Net."""


def open_url(url, *, timeout=5):
    return (url, timeout)
