import sys

from cart import Cart
from catalogue import Catalogue


def bring(title):
    if mark := Catalogue().find(title).get("shelfmark"):
        return Cart().fetch(signature=mark)["floor"]
    return "-"


if __name__ == "__main__":
    print(*map(bring, sys.argv[1:]))
