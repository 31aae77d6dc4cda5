"""The daily digest goes to everybody."""


def send_digest(mailer, people, events):
    """Return those whom the digest did not reach."""
    body = "\n".join(f"- {event}" for event in events) or "nothing happened"
    return [person for person in people if not mailer.send(person, "digest", body)]
