from graphbus_core import GraphBusNode, subscribe

from codons import TABLES, reverse_complement, translate


class Translator(GraphBusNode):
    @subscribe("/Gene/Translate")
    def on_seq(self, seq: str) -> str:
        return translate(seq.upper())


class SixFrames(GraphBusNode):
    """All frames under a table the sender names."""

    @subscribe("/Gene/SixFrames")
    def on_seq(self, seq: str, table: int) -> list:
        table = table if table in TABLES else 1
        strands = (seq, reverse_complement(seq))
        return [translate(s[k:], table) for s in strands for k in range(3)]
