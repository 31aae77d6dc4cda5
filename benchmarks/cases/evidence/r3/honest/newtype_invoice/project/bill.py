from billing import Billing

billing = Billing()
for customer in ("Ada", "Bob"):
    print(billing.issue(customer))
