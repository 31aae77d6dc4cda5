"""What was inferred, written into the source: a bare `@contract`, and a TypedDict where a dict has certain keys.

made = decorated(infer(root))      # Decorated(before, after): bytes by file; nothing is written
land(made, state)                  # all files or none, by the transaction of every commit; a record for `undo`
take_back(state, "adopt-…")        # what `graphbus undo` does with such a record

decorated    the diff: pure
records      TypedDicts from shapes, and the hint that leads to them
landed       writing and taking back, with the commit engine's journal, records and reversal
"""

from graphbus_core.adopt.source.decorated import Decorated, decorated
from graphbus_core.adopt.source.landed import is_adoption, land, take_back

__all__ = ["Decorated", "decorated", "is_adoption", "land", "take_back"]
