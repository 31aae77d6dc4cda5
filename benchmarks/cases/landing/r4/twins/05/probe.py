import billing
import loyalty

billing.issue("P1", "ann", 700)
billing.pay("P1")
assert loyalty.POINTS["ann"] == 7, loyalty.POINTS
