from door.bell import Doorbell

for hour, who in enumerate(["Eve", "Mallory"], start=19):
    print(Doorbell().ring(who, hour))
