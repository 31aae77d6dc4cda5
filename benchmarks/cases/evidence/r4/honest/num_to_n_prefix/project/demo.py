from plot import Plot

print(Plot().grid(16, 1))
