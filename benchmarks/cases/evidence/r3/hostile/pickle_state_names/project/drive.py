from dash import Dash
from gps import Gps
from probes import probe

dash = Dash()
fix = Gps().fix("88*7")
dash.on_fix({"kmh": fix["speed"], "sats": fix["sats"]})
print(probe(dash))
