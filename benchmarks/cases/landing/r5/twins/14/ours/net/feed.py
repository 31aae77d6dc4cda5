from net.client import request


def entries(url):
    return request(url, timeout_s=60, retries=2).split("\n")
