def _transport(url, timeout, retries):
    raise OSError("no network here")


def request(url, **options):
    """Options: timeout in seconds, retries. Callers may pass through what they got."""
    timeout = options.get("timeout", 30)
    retries = options.get("retries", 0)
    return _transport(url, timeout, retries)
