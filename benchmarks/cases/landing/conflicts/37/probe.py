from uptime import days_up
assert days_up() >= 0
