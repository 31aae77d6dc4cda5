from tickets.changelog import tickets_of

assert tickets_of(["AB-1, CD-2", "AB-1 again", "EF-30"]) == ["AB-1", "CD-2", "EF-30"], tickets_of(["AB-1"])
