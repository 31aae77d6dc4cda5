from functools import wraps

from genome import Bed, Vcf


def one_based(f):
    @wraps(f)
    def inner(x):
        return f(x) + 1

    return inner


@one_based
def pos(feature):
    return feature.start


if __name__ == "__main__":
    f = Bed().feature("BRCA1")
    print(Vcf().write(chrom=f.chrom, pos=pos(f))["line"])
