from mailer.remind import reminder

_, text = reminder({"name": "Ann Lee", "mail": "a@x"}, {"no": "R7", "due": "1 May"})
assert "Ann" in text and "$" not in text, text
