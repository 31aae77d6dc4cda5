from sonar import Sonar
from tracker import Tracker

sonar, tracker = Sonar(), Tracker()
last = sonar.ping()["distance"]
for _ in range(3):
    now = sonar.ping()
    print(tracker.step(previous=last, t=now["t"])["text"])
    last = now["distance"]
