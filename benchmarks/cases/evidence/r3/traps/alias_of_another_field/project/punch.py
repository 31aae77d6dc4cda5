from clock import Badge, Clock

BOSS = {"Ada": "Grace", "Bob": "Ada"}

for code in ("17", "18"):
    swiped = Badge().swipe(code)
    print(Clock().punch(manager=BOSS[swiped["employee"]], person=swiped["employee"])["line"])
