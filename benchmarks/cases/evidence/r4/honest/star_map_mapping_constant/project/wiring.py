from crm import Crm
from newsletter import Newsletter

CONTACT_TO_SUBSCRIBER = {"mail": "email"}


def subscribe(name):
    contact = Crm().contact(name)
    return Newsletter().subscribe(**{new: contact[old] for old, new in CONTACT_TO_SUBSCRIBER.items()})
