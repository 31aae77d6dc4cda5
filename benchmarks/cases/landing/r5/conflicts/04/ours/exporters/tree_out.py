import json

from exporters import exporter


@exporter("json")
def to_json(rows):
    return json.dumps(rows)
