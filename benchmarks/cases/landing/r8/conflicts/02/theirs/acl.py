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

    async def allowed(self, user, doc, action):
        names = [user]
        if self.directory is not None:
            names += await self.directory.groups(user)
        return max(self.level(n, doc) for n in names) >= LEVELS[action]

    def grant(self, user, doc, level):
        self.grants[user, doc] = max(level, self.level(user, doc))
