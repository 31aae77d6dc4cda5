from types import SimpleNamespace

DUTY = {"steel": 25, "toys": 4, "wine": 12}
POLICY = SimpleNamespace(free_below=150, inspect_every=0)


def duty(goods: str, value: int) -> int:
    return 0 if value < 150 else value * DUTY.get(goods, 8) // 100


def amend(policy: SimpleNamespace, **changes: int) -> dict[str, int]:
    old = {k: getattr(policy, k) for k in changes}
    vars(policy).update(changes)
    return old
