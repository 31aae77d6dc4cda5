# stateful
"""Raises the same exception object again and again and adds a note each time; the notes pile up on the object."""
from graphbus_core import GraphBusNode, subscribe


class QuotaExceeded(Exception):
    code = 429


_EXCEEDED = QuotaExceeded("quota exceeded")
LIMITS = {"free": 100, "team": 1_000, "enterprise": 50_000}


def _check(plan: str, wanted: int) -> int:
    limit = LIMITS.get(plan, LIMITS["free"])
    if wanted > limit:
        raise _EXCEEDED
    return limit - wanted


def _admit(tenant: str, plan: str, wanted: int) -> int:
    try:
        return _check(plan, wanted)
    except QuotaExceeded as error:
        error.add_note(f"tenant {tenant} on plan {plan}")
        raise


def problem_document(error: QuotaExceeded) -> dict:
    return {
        "status": error.code,
        "title": str(error),
        "detail": "; ".join(getattr(error, "__notes__", ())),
    }


class QuotaGuard(GraphBusNode):
    @subscribe("/Api/Request")
    def on_request(self, tenant: str, plan: str, rows: int) -> dict:
        try:
            rest = _admit(tenant, plan, rows)
        except QuotaExceeded as error:
            return problem_document(error)
        return {"status": 200, "rest": rest}
