"""What any Python project says of itself: who gives what to whom, read from its source; nothing of it runs.

    read = infer(root)
    read.components   # Component(name, kind, file, line, methods), each method with its Signature
    read.links        # who gives what to whom, with the lines that show it
    read.findings     # keys, attributes, parameters and types that cannot be there

    known/       shapes of values, types as hints, the library's functions, the project's syntax
    frame        where an expression stands, and what its local names are bound to
    filled       containers that are filled after they were made
    members      what an object of the project has
    values       an expression -> a shape, and how sure that is
    signatures   a function -> what it takes and gives
    fits, calls  whether a value can be taken; a call against what it reaches
    uses         what the code asks of a value that cannot be there: the findings
    keys         keys that are read and never written, beside one that is written and never read
    project      the face of it all, and what is printed of it

It stands on `build/understand`, which knows names, imports and calls across files.
"""

from graphbus_core.adopt.project import Component, Inferred, infer

__all__ = ["Component", "Inferred", "infer"]
