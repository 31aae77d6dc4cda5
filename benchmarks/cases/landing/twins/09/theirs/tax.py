VAT = 0.2


def gross(net):
    return net * (1 + VAT)
