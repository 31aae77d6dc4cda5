"""The decision procedure: is there a value that one schema accepts and another rejects?

bounds      the step budget, and how the procedure says that it gives up
regex       regular expressions of ECMA-262, parsed
anchors     where the parts of a pattern stand
language    sets of strings as terms with derivatives: intersection, complement, a shortest word
logic       formulas over atoms that speak of one JSON type
documents   where a `$ref` leads
keywords    what is read of one keyword by itself
evaluated   what `unevaluatedProperties` and `unevaluatedItems` look at
schemas     JSON Schema -> formulas, one for each of the six types
solver      formulas -> a value, or the proof that there is none
numbers, strings, arrays, objects   what the solver knows of each type
decide      one decision from end to end
"""
