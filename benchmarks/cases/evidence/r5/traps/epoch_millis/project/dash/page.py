from dash.chart import Chart
from dash.clock import Clock


def label(at):
    ts = Clock().tick(at)["ts"]
    ts *= 1000
    return Chart().point(timestamp=ts)["label"]
