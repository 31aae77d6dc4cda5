"""The smallest project that publishes and subscribes: someone asks, a greeter greets, a book keeps it."""

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Greeter(GraphBusNode):
    SYSTEM_PROMPT = "I greet whoever asks to be greeted, by name."

    @subscribe("/Hello/Asked")
    @schema_method(input_schema={"name": str})
    def on_asked(self, payload):
        self.publish("/Hello/Greeted", self.greet(payload["name"]))

    @publishes("/Hello/Greeted", {"message": str})
    @schema_method(input_schema={"name": str}, output_schema={"message": str})
    def greet(self, name: str = "world"):
        return {"message": f"Hello, {name}!"}


class GuestBook(GraphBusNode):
    SYSTEM_PROMPT = "I keep every greeting, and can read them out."

    def __init__(self):
        self.greetings = []

    @subscribe("/Hello/Greeted")
    @schema_method(input_schema={"message": str})
    def on_greeted(self, payload):
        self.greetings.append(payload["message"])
        print(payload["message"])

    @schema_method(input_schema={}, output_schema={"greetings": list[str]})
    def read(self):
        return {"greetings": self.greetings}
