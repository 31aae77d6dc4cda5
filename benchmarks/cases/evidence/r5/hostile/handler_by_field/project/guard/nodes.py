from graphbus_core import GraphBusNode, depends_on, schema_method


class Form(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"email": str, "age": int})
    def parse(self, text):
        email, age = text.split(",")
        return {"email": email, "age": int(age)}


class Guard(GraphBusNode):
    @depends_on("Form.parse")
    @schema_method(input_schema={"mail": str, "age": int}, output_schema={"errors": list})
    def check(self, **given):
        errors = []
        for field in ("mail", "age"):
            rule = getattr(self, f"rule_{field}", None)
            if rule is not None and not rule(given[field]):
                errors.append(field[0])
        return {"errors": errors}

    def rule_mail(self, value):
        return "@" in value

    def rule_age(self, value):
        return value >= 18
