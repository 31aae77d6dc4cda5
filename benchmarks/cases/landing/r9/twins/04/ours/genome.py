from regions import parse_region


class Genome:
    def __init__(self, sequences):
        self.sequences = dict(sequences)

    def fetch(self, text):
        region = parse_region(text)
        return self.sequences[region.chrom][region.start - 1:region.end]
