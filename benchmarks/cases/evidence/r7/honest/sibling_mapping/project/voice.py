from graphbus_core import GraphBusNode, depends_on, schema_method


class Voice(GraphBusNode):
    @depends_on("Parser.read", map={"language": "lang"})
    @schema_method(input_schema={"text": str, "language": str}, output_schema={"line": str})
    def subtitle(self, text, language):
        return {"line": f"[{language}] {text}"}

    @depends_on("Parser.read")
    @schema_method(input_schema={"language": str}, output_schema={"voice": str})
    def speak(self, language):
        return {"voice": f"{language}-1"}
