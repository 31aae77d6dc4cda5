from decimal import Decimal


class Money(Decimal):
    def as_decimal(self):
        return Decimal(self)
