"""Wake people one after the other until somebody could be reached."""


class NobodyReached(RuntimeError):
    pass


def escalate(mailer, chain, incident):
    """Return the first of the chain whom the mail reached."""
    body = f"{incident['what']} on {incident['host']}"
    for person in chain:
        if mailer.send(person, f"incident {incident['id']}", body):
            return person
    raise NobodyReached(incident["id"])
