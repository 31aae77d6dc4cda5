# stateful
"""Each type() call registers a subclass through __init_subclass__ in the base class's list."""
from graphbus_core import GraphBusNode, subscribe


class Product:
    known: dict[str, type] = {}
    rate = 10

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        Product.known[cls.__name__] = cls

    def price(self, sum_insured: int) -> int:
        return sum_insured * self.rate // 1000


class Motor(Product):
    rate = 35


class Home(Product):
    rate = 12


def specialise(base: str, name: str, rate: int) -> type:
    parent = Product.known.get(base, Product)
    return type(name, (parent,), {"rate": rate or parent.rate})


class LineProducts(GraphBusNode):
    @subscribe("/Product/Special")
    def special(self, base: str, name: str, rate: int, sum_insured: int) -> dict[str, object]:
        product = specialise(base, name, rate)()
        return {"product": name, "price": product.price(sum_insured), "base": type(product).__mro__[1].__name__}
