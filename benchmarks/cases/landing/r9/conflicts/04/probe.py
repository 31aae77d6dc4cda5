from genome import Genome
from panel import covered_bases, load_panel

texts = ["chr1:2-4", "chr1:6-6"]
genome = Genome({"chr1": "ACGTACGT"})
want = sum(len(genome.fetch(text)) for text in texts)
got = covered_bases(load_panel(texts))
assert got == want == 4, (got, want)
