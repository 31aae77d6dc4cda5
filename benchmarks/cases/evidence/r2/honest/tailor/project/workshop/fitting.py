from tailor import Cutter, Measure, Seamstress


def fit(customer):
    sizes = Measure().take(customer)
    bust, sleeve = sizes["chest"], sizes["sleeve"]
    cloth = Cutter().cut(bust=bust, sleeve=sleeve)
    return Seamstress().sew(**cloth)
