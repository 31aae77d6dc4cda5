from clinic.remind import recipients
assert len(recipients(['Ana;555;mon'])) == 1
