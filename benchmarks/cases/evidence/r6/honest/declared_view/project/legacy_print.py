from fleet import CARS, Fleet, Service, VehicleView

for plate in CARS:
    view = VehicleView(Fleet().vehicle(plate))
    print(f"{view.registration}: {view.mileage:>7}")
print(Service({"oil": 50_000}).due(64_000))
