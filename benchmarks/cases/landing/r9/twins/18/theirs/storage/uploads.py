from storage.plans import UNLIMITED


class OverQuota(Exception):
    pass


def check(plan, used, size):
    if plan.quota != UNLIMITED and used + size > plan.quota:
        raise OverQuota(f"{plan.name}: {used} + {size} > {plan.quota}")
