from field import Irrigation

field = Irrigation()
for measured in (0.0, 0.0, 12.5, 0.0, 0.0):
    print(field.balance(measured)["dose_mm"], end=" ")
print(field.watered)
