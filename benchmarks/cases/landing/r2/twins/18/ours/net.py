"""Net."""


def open_url(url, *, timeout_s=5):
    return (url, timeout_s)
