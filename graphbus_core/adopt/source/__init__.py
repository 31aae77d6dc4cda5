"""What was inferred, written down: `@contract` and TypedDicts in the source, or entries of `contracts.toml`.

made = decorated(infer(root))      # Decorated(before, after): bytes by file; nothing is written
land(made, state)                  # all files or none, by the transaction of every commit; a record for `undo`
take_back(state, "adopt-…")        # what `graphbus undo` does with such a record

decorated    the diff of the source: pure; a bare `@contract`, and a TypedDict where a dict has certain keys
records      TypedDicts from shapes, and the hint that leads to them
types        a shape -> the text of a type that our readers take
contracts_file  the entries of `contracts.toml`, for a person to read before they are written
landed       writing and taking back, with the commit engine's journal, records and reversal
"""

from graphbus_core.adopt.source.decorated import Decorated, decorated
from graphbus_core.adopt.source.landed import is_adoption, land, take_back

__all__ = ["Decorated", "decorated", "is_adoption", "land", "take_back"]
