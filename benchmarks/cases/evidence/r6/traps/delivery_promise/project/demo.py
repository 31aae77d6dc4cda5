import datetime as dt

from routes import BEGIN, Notice, RoutePlanner

print(RoutePlanner().plan("b")["stop"])
print(Notice().send("b", BEGIN + dt.timedelta(minutes=12))["text"])
