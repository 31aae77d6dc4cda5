"""Monthly charges of all subscribers."""
from dataclasses import dataclass, field

from gateway import Declined


@dataclass
class Run:
    paid: dict = field(default_factory=dict)
    declined: list = field(default_factory=list)
    postponed: list = field(default_factory=list)


def charge_all(gateway, fees):
    """Charge {account: cents}; one that cannot be reached is postponed, not lost."""
    run = Run()
    for account, cents in sorted(fees.items()):
        try:
            run.paid[account] = gateway.charge(account, cents)
        except Declined:
            run.declined.append(account)
        except ConnectionError:
            run.postponed.append(account)
    return run
