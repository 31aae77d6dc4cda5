from net import Link, fetch


def ping():
    return fetch(Link())
