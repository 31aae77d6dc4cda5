import hashlib

from graphbus_core import GraphBusNode, depends_on, schema_method


class Form(GraphBusNode):
    @schema_method(input_schema={"post": dict}, output_schema={"user": str, "password": str})
    def signup(self, post):
        return {"user": post["user"], "password": post["password"]}


class Accounts(GraphBusNode):
    @depends_on("Form.signup")
    @schema_method(input_schema={"user": str, "password_hash": str}, output_schema={"row": str})
    def create(self, user, password_hash):
        return {"row": f"{user}:{password_hash}"}


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]
