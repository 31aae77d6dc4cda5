import alerts
import levels

levels.warn_out({"nut": (0, 5)}, ["kim"])
assert alerts.OUTBOX[-1]["via"] == "sms" and alerts.OUTBOX[-1]["urgent"], alerts.OUTBOX
