from payslip import Payslip
from transfer import Transfer

for hours, taxed in [(160, True), (20, False)]:
    slip = Payslip().compute(hours=hours, rate=40, taxed=taxed)
    print(Transfer().send_money(amount=slip.get("net", slip["gross"]))["order"])
