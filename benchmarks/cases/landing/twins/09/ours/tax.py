VAT = 20  # percent


def gross(net):
    return net * (1 + VAT / 100)
