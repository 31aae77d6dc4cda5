import exporters

assert exporters.export("xml", [{"a": 1}]) == '<rows><row a="1"/></rows>'
