"""What a promise means: types, inclusion, counterexamples, typed changes, payload checks.

Contract           what a value may be; from annotations, from source (`static.read`), from JSON Schema
check              does every payload of the producer fit the consumer? -> Verdict, with a counterexample
changes            what changed between two versions, and for whom it breaks
compatibility      the modes of schema registries over a history
apply_operation    what a contract looks like after a field operation
validator          payload checks, compiled once

`check` is imported at once, and all else when it is first used: most links are settled by a glance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.contracts.check import check
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.values.verdict import NOTHING, Reason, Verdict
from graphbus_core.late import late_names

if TYPE_CHECKING:
    from graphbus_core.contracts.change.changes import Compared, changes, compare
    from graphbus_core.contracts.change.kinds import (
        AnnotationChanged,
        BranchAdded,
        BranchRemoved,
        Change,
        FieldAdded,
        FieldRemoved,
        FieldRetyped,
        MadeOptional,
        MadeRequired,
        Redescribed,
        Together,
        Undecided,
    )
    from graphbus_core.contracts.change.modes import MODES, Compatibility, compatibility
    from graphbus_core.contracts.change.signature import method_changes, signature_changes
    from graphbus_core.contracts.change.ways import READINGS
    from graphbus_core.contracts.disagreement import Finding, lint
    from graphbus_core.contracts.reading import static
    from graphbus_core.contracts.reading.fields import apply_operation
    from graphbus_core.contracts.reading.static import NeedsImport
    from graphbus_core.contracts.reading.wording import annotation
    from graphbus_core.contracts.values.payload import Validator, Violation, validator

__all__ = [
    "MODES",
    "NOTHING",
    "READINGS",
    "AnnotationChanged",
    "BranchAdded",
    "BranchRemoved",
    "Change",
    "Compared",
    "Compatibility",
    "Contract",
    "FieldAdded",
    "FieldRemoved",
    "FieldRetyped",
    "Finding",
    "MadeOptional",
    "MadeRequired",
    "NeedsImport",
    "Reason",
    "Redescribed",
    "Together",
    "Undecided",
    "Validator",
    "Verdict",
    "Violation",
    "annotation",
    "apply_operation",
    "changes",
    "check",
    "compare",
    "compatibility",
    "lint",
    "method_changes",
    "signature_changes",
    "static",
    "validator",
]

_HOMES = {
    "graphbus_core.contracts.change.changes": "changes compare Compared",
    "graphbus_core.contracts.change.kinds": "AnnotationChanged BranchAdded BranchRemoved Change FieldAdded "
    "FieldRemoved FieldRetyped MadeOptional MadeRequired Redescribed Together Undecided",
    "graphbus_core.contracts.change.modes": "Compatibility compatibility MODES",
    "graphbus_core.contracts.change.signature": "method_changes signature_changes",
    "graphbus_core.contracts.change.ways": "READINGS",
    "graphbus_core.contracts.disagreement": "Finding lint",
    "graphbus_core.contracts.reading.fields": "apply_operation",
    "graphbus_core.contracts.reading.static": "NeedsImport :static",
    "graphbus_core.contracts.reading.wording": "annotation",
    "graphbus_core.contracts.values.payload": "Validator validator Violation",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = late_names(__name__, _HOMES)
