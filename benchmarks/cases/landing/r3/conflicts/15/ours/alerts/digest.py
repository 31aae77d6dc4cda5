"""The daily digest goes to everybody."""


import asyncio


async def send_digest(mailer, people, events):
    """Return those whom the digest did not reach."""
    body = "\n".join(f"- {event}" for event in events) or "nothing happened"
    reached = await asyncio.gather(*(mailer.send(person, "digest", body) for person in people))
    return [person for person, taken in zip(people, reached) if not taken]
