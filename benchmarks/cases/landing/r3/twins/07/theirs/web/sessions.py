"""Sessions live half an hour after the last request."""
import secrets

SESSION_TTL = 1800


class Sessions:
    def __init__(self, cache):
        self.cache = cache

    def open(self, user):
        token = secrets.token_hex(16)
        self._keep(token, user)
        return token

    def user(self, token):
        user = self.cache.get(("session", token))
        if user is not None:
            self._keep(token, user)
        return user

    def close(self, token):
        return self.cache.drop(("session", token))

    def _keep(self, token, user):
        self.cache.put(("session", token), user, ttl=SESSION_TTL)
