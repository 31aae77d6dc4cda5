from dam import Dam, Gauge

peak = 0.0
for hour in range(3):
    flow = Gauge().read(hour)["flow"]
    if flow > peak:
        peak = flow
print(Dam().release(peak_flow=peak)["gates"])
