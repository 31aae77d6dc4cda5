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
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.verdict import NOTHING, Reason, Verdict
from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.contracts.check import MODES, Compatibility, compatibility
    from graphbus_core.contracts.diff.changes import (
        AnnotationChanged,
        BranchAdded,
        BranchRemoved,
        Change,
        Compared,
        FieldAdded,
        FieldRemoved,
        FieldRetyped,
        MadeOptional,
        MadeRequired,
        Redescribed,
        Together,
        Undecided,
        changes,
        compare,
        method_changes,
        signature_changes,
    )
    from graphbus_core.contracts.linting import Disagreement, lint
    from graphbus_core.contracts.parsing import static
    from graphbus_core.contracts.parsing.contract import READINGS
    from graphbus_core.contracts.parsing.field_paths import apply_operation
    from graphbus_core.contracts.parsing.static import NeedsImport
    from graphbus_core.contracts.parsing.type_forms import annotation
    from graphbus_core.contracts.validation.validator import Validator, Violation, validator

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
    "Disagreement",
    "FieldAdded",
    "FieldRemoved",
    "FieldRetyped",
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
    "graphbus_core.contracts.diff.changes": (
        "changes compare Compared AnnotationChanged BranchAdded BranchRemoved Change FieldAdded FieldRemoved "
        "FieldRetyped MadeOptional MadeRequired Redescribed Together Undecided method_changes "
        "signature_changes"
    ),
    "graphbus_core.contracts.check": "Compatibility compatibility MODES",
    "graphbus_core.contracts.parsing.contract": "READINGS",
    "graphbus_core.contracts.linting": "Disagreement lint",
    "graphbus_core.contracts.parsing.field_paths": "apply_operation",
    "graphbus_core.contracts.parsing.static": "NeedsImport :static",
    "graphbus_core.contracts.parsing.type_forms": "annotation",
    "graphbus_core.contracts.validation.validator": "Validator validator Violation",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
