from plugs import plugged

print(plugged())
