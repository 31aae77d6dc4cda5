from graphbus_core import GraphBusNode, schema_method

ORDERS = {
    70: ("Bakery", "shop@bakery.example", "shop@bakery.example", 18.0),
    71: ("Mill", "jo@mill.example", "ap@mill.example", 240.5),
}


class OrderDesk(GraphBusNode):
    @schema_method(
        input_schema={"number": int},
        output_schema={"number": int, "contact_email": str, "billing_email": str, "total": float},
    )
    def confirm(self, number):
        _, contact, billing, total = ORDERS[number]
        return {
            "number": number,
            "contact_email": contact,
            "billing_email": billing,
            "total": total,
        }
