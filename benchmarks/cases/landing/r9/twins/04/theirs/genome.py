from regions import parse_region


class Genome:
    def __init__(self, sequences):
        self.sequences = dict(sequences)

    def fetch(self, text):
        chrom, start, end = parse_region(text)
        return self.sequences[chrom][start - 1:end]
