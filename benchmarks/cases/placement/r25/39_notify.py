# stateful
"""Keeps the listeners of earlier events, which nobody takes off the subject again."""
from graphbus_core import GraphBusNode, subscribe


class Subject:
    def __init__(self):
        self._observers = []

    def attach(self, observer):
        self._observers.append(observer)

    def fire(self, price):
        return [o.update(price) for o in self._observers if o.concerned(price)]


class Observer:
    def __init__(self, user):
        self.user = user

    def concerned(self, price):
        return True

    def update(self, price):
        return f"{self.user}: price is {price}"


class LimitObserver(Observer):
    def __init__(self, user, limit):
        super().__init__(user)
        self.limit = limit

    def concerned(self, price):
        return price <= self.limit


class PriceWatch(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._subject = Subject()

    @subscribe("/market/offer")
    def on_offer(self, user: str, price: int, limit: int) -> dict:
        observer = LimitObserver(user, limit) if limit > 0 else Observer(user)
        self._subject.attach(observer)
        return {"mails": self._subject.fire(price)}
