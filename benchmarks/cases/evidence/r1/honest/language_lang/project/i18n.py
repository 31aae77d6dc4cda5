from graphbus_core import GraphBusNode, depends_on, schema_method

WORDS = {"en": "Hello", "de": "Hallo"}


class Profile(GraphBusNode):
    @schema_method(input_schema={"user": str}, output_schema={"user": str, "language_code": str})
    def read(self, user):
        return {"user": user, "language_code": "de"}


class Render(GraphBusNode):
    @depends_on("Profile.read")
    @schema_method(input_schema={"user": str, "lang": str}, output_schema={"page": str})
    def page(self, user, lang):
        return {"page": f"{WORDS[lang]} {user}"}
