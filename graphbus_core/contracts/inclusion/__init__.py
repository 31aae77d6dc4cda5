"""The decision procedure: is there a value that one schema accepts and another rejects?

decide      one decision from end to end; its head explains how it works
quick       the short cut: what the words of two schemas prove
sampling    the other short cut: a value that one accepts and the other rejects, found by making some
solver      formulas -> a value, or the proof that there is none
formulas/   JSON Schema -> formulas, one for each of the six types
kinds/      what the solver knows of each type
patterns/   regular expressions as languages
"""
