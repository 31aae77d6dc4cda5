# who may do what with which document

LEVELS = {"read": 1, "comment": 2, "edit": 3, "share": 4}


class Forbidden(Exception):
    pass


class Acl:
    def __init__(self, grants, directory=None):
        # {(user or group, doc): level}
        self.grants = dict(grants)
        self.directory = directory

    def level(self, user, doc):
        return self.grants.get((user, doc), 0)

    def allowed(self, user, doc, action):
        return self.level(user, doc) >= LEVELS[action]

    async def may(self, user, doc, action):
        # like allowed, and through the groups of the user as well
        if self.allowed(user, doc, action) or self.directory is None:
            return self.allowed(user, doc, action)
        groups = await self.directory.groups(user)
        return any(self.allowed(g, doc, action) for g in groups)

    def grant(self, user, doc, level):
        self.grants[user, doc] = max(level, self.level(user, doc))
