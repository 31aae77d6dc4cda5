# stateful
from graphbus_core import GraphBusNode, subscribe


class CouponDesk(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.coupons = iter(["TEN", "FIVE"])

    @subscribe("/Coupon/Asked")
    def on(self, payload):
        for coupon in self.coupons:
            self.publish("/Coupon/Given", {"coupon": coupon})
            break
