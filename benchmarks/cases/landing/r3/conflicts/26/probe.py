from messages.render import render

text = render("reminder", {"name": "Eve", "number": "R-9", "cents": 100, "days_late": 3})
assert text.startswith("To: Eve\n"), text
assert "3 days" in text
