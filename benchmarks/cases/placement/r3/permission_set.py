# pure
import functools
import operator

from graphbus_core import GraphBusNode, subscribe

ROLES = {
    "reader": ["page.read"],
    "editor": ["page.read", "page.write"],
    "admin": ["user.add", "user.drop"],
}
BASE = ["login"]


class PermissionSet(GraphBusNode):
    @subscribe("/User/RolesChanged")
    def on_roles(self, payload):
        lists = (ROLES.get(r, []) for r in payload["roles"])
        rights = functools.reduce(operator.iadd, lists, list(BASE))
        unique = functools.reduce(lambda a, r: a if r in a else a + [r], rights, [])
        self.publish("/User/Rights", {"user": payload["user"], "rights": unique})
