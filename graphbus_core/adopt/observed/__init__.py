"""What a project's tests show of its contracts: they run in the sandbox, types are recorded, and proposals come of it.

seen = observe(root, "pytest -q")         # Observed(functions, ran): types by parameter, never values
found = sharpened(infer(root), seen)      # what nobody declared or showed becomes *likely, from the tests*

recorder     the process of the tests: types of arguments and results, told on its output
told         what it told, read with suspicion, as shapes
running      a copy of the project, the sandbox, the bounds
sharpened    contracts with what was seen; where it was seen otherwise than declared
"""

from graphbus_core.adopt.observed.sandboxed_run import observe
from graphbus_core.adopt.observed.sharpened import Sharpened, sharpened
from graphbus_core.adopt.observed.told import Observed, Watched

__all__ = ["Observed", "Sharpened", "Watched", "observe", "sharpened"]
