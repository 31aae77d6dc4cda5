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
    observed/    what the tests send, in the sandbox: proposals
    source/      contracts written down: decorators and records in the source, or entries of contracts.toml

It stands on `analysis`, which knows names, imports and calls across files.
"""

# Theory of operation
# -------------------
#
# A project that has never heard of GraphBus declares no contracts. They are read out of its code, and every part of
# one says how sure it is. The grade is the whole point: a wrong finding in somebody's old code ends the trial of this
# tool.
#
#     DECLARED   a hint says so, and somebody is answerable for it
#     CERTAIN    the code gives nothing else: a literal, a constructor, a builtin
#     LIKELY     it is so unless something unusual happens: a default, a docstring, a subclass
#     UNKNOWN    nobody can tell (`DARK`); the part stays open, and nothing is reported about it
#
# A contract is as sure as its least sure part. Wherever two reasonable readings exist the answer is DARK.
# benchmarks/adoption.py measures both sides of that on ten public projects: what is read right, and what is reported
# that is not so.
#
# A function is read from its own text. What it *takes* is its hints, else its docstring, else its defaults; its
# callers are not asked, because a caller that hands in the wrong thing must not become part of the contract that it
# breaks. What it *gives* is its hint, else the union of its returns. A vague hint (`-> dict`) is refined by returns
# that are certain.
#
# Names are followed line by line (`frame`): what a name can be at a line are the assignments that reach it. A name of
# a function around this one, a module's variable that is assigned twice, a parameter after `*`: dark, each where the
# code decides so.
#
# Why nothing runs. Importing a stranger's project executes it. It also answers a smaller question: what happens to be
# there in this run, on this machine, with these settings.
#
# Why findings are few. Each is a sentence that two lines of source prove: a key that is read and never given, an
# attribute that the class does not have, a call that its target cannot take, a value or a return that its own hint
# rules out. Whatever else was learnt is used for links and contracts, and not reported.
#
# Recursion is met everywhere: functions that call each other, names bound to themselves, classes that hold their own
# kind. What is asked about while it is being answered is DARK for that moment. That is always a safe answer, but it
# depends on where one began; so a signature is kept only where no other question was open (`Signatures.find`).

from graphbus_core.inference.project import Component, InferredProject, infer

__all__ = ["Component", "InferredProject", "infer"]
