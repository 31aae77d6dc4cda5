from isp import Bill, Router

router, bill, last = Router(), Bill(), 1000
for hour in (1, 2):
    now = router.read(hour)["rx_bytes"]
    now, last = now - last, now
    total = bill.add(bytes=now)["sum"]
print(total)
