# who may do what with which document

LEVELS = {"read": 1, "comment": 2, "edit": 3, "share": 4}


class Forbidden(Exception):
    pass


class Acl:
    def __init__(self, grants):
        # {(user, doc): level}
        self.grants = dict(grants)

    def level(self, user, doc):
        return self.grants.get((user, doc), 0)

    def allowed(self, user, doc, action):
        return self.level(user, doc) >= LEVELS[action]

    def grant(self, user, doc, level):
        self.grants[user, doc] = max(level, self.level(user, doc))
