from graphbus_core import GraphBusNode, subscribe

import cookbook
import pass_


class Orders(GraphBusNode):
    @subscribe("/Kitchen/Order")
    def order(self, table: int, dish: str) -> str:
        if dish not in cookbook.RECIPES:
            return f"table {table}: we have no {dish}"
        return f"{pass_.ticket()} table {table}: {dish}"


class MenuCard(GraphBusNode):
    @subscribe("/Kitchen/Menu")
    def menu(self, dishes: list[str]) -> list[str]:
        courses = pass_.course_numbers(d for d in dishes if d in cookbook.RECIPES)
        return [f"{n}. {dish.title()}" for dish, n in courses.items()]
