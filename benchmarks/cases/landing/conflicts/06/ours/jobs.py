from net import Link, fetch


def nightly():
    return fetch(Link())
