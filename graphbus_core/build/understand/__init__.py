"""One understanding of the whole project: who calls what, where a value comes from, and where it goes.

    with Project.around(scanned.root, scanned.agents) as project:     # or root=… where the user gives --root
        project.links()            # Seen(producer, consumer, flows, evidence, own): what calls show, with file:line
        project.flows("B.use")     # Flow(source, source_keys, target, target_keys, place, exact, whole) into a method
        project.evidence("A.get.quantity", "B.use.qty")   # the calls that carry this field there; empty: none seen
        project.unsure()           # calls that nobody can tell, each with its place and why; never a finding
        project.findings()         # the checker's findings with contracts written as types: compare before and after
        project.diagnostics(root)  # the type checker's findings in a tree; None: none is installed ("types: not run")
        project.definition(place), .implementations(place), .types(places)        # the engine's answers, () where dark

`engine.port.new_findings(before, after)` compares findings as (file, text); `engine.port.added_ignores(before, after)`
names the comments that silence a checker. Without agents, `Project(root)` takes every class and function as a
component, which is what `infer` asks. `over={path: bytes}` are texts that count in place of the files (a change that is
not written yet).

Nothing of the project is executed. Each file is parsed once; every question is bounded in depth and steps, and what
cannot be told is said with its line. The root is the project's (`pyproject.toml`, `.git`, or what is given), so tests,
scripts, notebooks' code cells and stubs count.

text/        one file -> facts: the files and where the root is, statements, expressions, values
index        what a name leads to, across files
objects      what a value is: an object of which class
callers      who calls a function, and with what
ends         what a flow is: two ends, the keys on the way
showing      what the calls of one file show
kept         the same from an earlier run, where nothing that it rests on has changed
flows        from what one component gives back to what another takes
engine/      the port of a kept type checker, and ty behind it
project      the face of it all
"""

from graphbus_core.build.understand.ends import End, Flow
from graphbus_core.build.understand.project import Evidence, Project, Seen
from graphbus_core.build.understand.showing import Unsure

__all__ = ["End", "Evidence", "Flow", "Project", "Seen", "Unsure"]
