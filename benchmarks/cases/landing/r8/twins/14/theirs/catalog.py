# articles and what they cost

ARTICLES = {
    "pen": {"net": 200, "kind": "goods"},
    "book": {"net": 1000, "kind": "book"},
}

VAT = {"goods": 20, "book": 5}


def article(sku):
    return ARTICLES[sku]


def set_net(sku, net):
    ARTICLES[sku]["net"] = net
