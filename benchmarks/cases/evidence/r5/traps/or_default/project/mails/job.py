from mails.plan import Plan
from mails.sender import Sender


def nightly(customer):
    return Sender().send(max_mails=Plan().look(customer)["quota"] or len(Sender.QUEUE))["sent"]
