"""What a kept run started from: written at its start, compared when somebody goes on with it."""

from __future__ import annotations

import json
from typing import Any

from graphbus_core.consent.files import CommsLedger
from graphbus_core.consent.prepared import Prepared
from graphbus_core.negotiation.consent.told.certificate import digest


def start_of(prepared: Prepared, ledger: CommsLedger | None) -> dict[str, Any]:
    """What a run keeps of how it began, so that it can be resumed."""
    # What is empty is left out, so that a field of a later edition does not make an old record look damaged.
    request = {k: v for k, v in vars(prepared.request).items() if v not in (None, {}, (), "")}
    return {
        "request": request,
        "scenario": identity(prepared),
        "ledger_at": ledger.size() if ledger is not None else 0,
    }


def identity(prepared: Prepared) -> str:
    """What must be the same for a run to be resumed."""
    # Words count beside the digest: the digest covers what can be computed, and a changed priority is another
    # negotiation.
    texts = [[a.name, a.priority, a.rationale, a.red_line, a.willing_to_trade] for a in prepared.scenario.advocates]
    rest = [prepared.scenario.topic, texts, prepared.config.max_turns, prepared.scenario.preferences.value]
    return json.dumps([digest(prepared.scenario), rest, prepared.config.work], ensure_ascii=False)
