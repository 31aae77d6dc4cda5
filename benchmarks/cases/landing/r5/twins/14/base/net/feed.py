from net.client import request


def entries(url):
    return request(url, timeout=60, retries=2).split("\n")
