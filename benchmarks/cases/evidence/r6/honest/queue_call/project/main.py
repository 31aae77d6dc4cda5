from clinic.desk import Desk

desk = Desk()
for department in ("xray", "lab", "xray"):
    lines = desk.next(department)
print(lines)
