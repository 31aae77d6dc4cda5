import hashlib

from graphbus_core import GraphBusNode, subscribe


class Tracker(GraphBusNode):
    SYSTEM_PROMPT = "I record visits of those who allow it."

    def __init__(self, salt=b"2024"):
        super().__init__()
        self.salt = salt
        self.visits = []

    def pseudonym(self, user):
        return hashlib.blake2b(user.encode(), key=self.salt, digest_size=6).hexdigest()

    @subscribe("/Profile/Loaded")
    def record(self, user: str, consent: bool, country: str = ""):
        if consent:
            self.visits.append((self.pseudonym(user), country))
        return {"recorded": consent, "visits": len(self.visits)}
