"""One understanding of the whole project: who calls what, where a value comes from, and where it goes.

    with Project.around(scanned.root, scanned.agents) as project:     # or root=… where the user gives --root
        project.links()            # Seen(producer, consumer, flows, evidence, own): what calls show, with file:line
        project.flows("B.use")     # Flow(source, source_keys, target, target_keys, place, exact, whole) into a method
        project.evidence("A.get.quantity", "B.use.qty")   # the calls that carry this field there; empty: none seen
        project.unsure()           # calls that nobody can tell, each with its place and why; never a finding
        project.findings()         # the checker's findings with contracts written as types: compare before and after

`engine.port.new_findings(before, after)` compares findings as (file, text); `engine.port.added_ignores(before, after)`
names the comments that silence a checker. Without agents, `Project(root)` takes every class and function as a
component, which is what `infer` asks. `over={path: bytes}` are texts that count in place of the files (a change that is
not written yet).

Nothing of the project is executed. Each file is parsed once; every question is bounded in depth and steps, and what
cannot be told is reported with its line. The root is the project's (`pyproject.toml`, `.git`, or what is given), so
tests, scripts, notebooks' code cells and stubs count.

text/        one file -> facts: the files and where the root is, statements, expressions, values
index        what a name leads to, across files
objects      what a value is: an object of which class
callers      who calls a function, and with what
ends         what a flow is: two ends, the keys on the way
showing      what the calls of one file show
kept         the same from an earlier run, where nothing that it rests on has changed
flows        from what one component gives back to what another takes
changed      whether other code stores over what a flow carries
keys/        every token that spells a key on the way, for edits: what makes a dict, who reads it
engine/      the port of a kept type checker, and ty behind it
references   every place of a file that may mean a symbol, with the definition that it stands in
symbols      the definitions that such a place leads to
project      the face of it all
"""

# Theory of operation
# -------------------
#
# The question is always the same: does what this method gives back reach that argument, and does it arrive as it left?
# It is answered from text alone. Importing the project would run it, need its services, and tell only what one run
# does.
#
# Four steps, each with its own file. A file becomes *facts* (`text/`): functions, the values they return, every call
# with the values it is given. A value is a small tree of nouns (a parameter, a call's result, an item, an attribute, a
# record that was written out); it says what stands there and nothing about what it means. The *index* says what a name
# leads to in other files. *Objects* says of which class a value is. *Callers* joins both: which function may this call
# reach, and who calls that function. *Flows* then walks from an argument back to where its value was born.
#
#     call in main.py ──> which component's method is it? ──> each argument ──> back through names, records, functions
#                                                                              ──> another component's result: a flow
#
# Three words decide what a flow is worth. `exact`: nothing was made of the value on the way; `int(r["n"])` is a flow
# and proves nothing about types. `soft` and `guarded`: the code reckons with its absence, or the call stands under a
# condition. `whole`: a mapping handed on with `**`, so that every key goes to the parameter of its name.
#
# Nobody is guessed. Where a call may reach something that source does not tell (a method on a parameter without a
# hint, a function out of a dictionary), it is *dark*, and says why. A dark call is listed as a place to look at and
# never becomes a finding: a false one costs more trust than ten true ones earn.
#
# Why everything is bounded. Ways through functions multiply, values may be made of themselves, and a project may be
# hostile. Depth, steps, origins and functions gone into are counted. Where a bound is met, the answer is a part of the
# truth: it is marked as not exact, and is never kept for the next run.
#
# Why answers know what they rest on. After an edit only what may have changed is asked again. Each answer carries its
# *reads*: the files whose facts it used, the words of which it asked who calls them, whether it used the families of
# classes. It is believed again exactly where none of those changed (`kept`, which lists the conditions). This is why
# facts are asked for through one object that takes notes, and why a file must never be read past it.
#
# Tests count, and are told apart: a test shows how a component is meant to be called, but a link that only a test
# makes is not a link of the program.

from graphbus_core.analysis.flow_types import End, Flow, UnsureCall
from graphbus_core.analysis.project import CallLink, Evidence, ProjectAnalysis

__all__ = ["CallLink", "End", "Evidence", "Flow", "ProjectAnalysis", "UnsureCall"]
