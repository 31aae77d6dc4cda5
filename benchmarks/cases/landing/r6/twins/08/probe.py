from summary import summary

assert summary(["08:00 1", "09:00 2", "09:30 0"]) == {"max": 2.0, "busiest": "09"}
