from xml.sax.saxutils import quoteattr

from exporters import exporter


@exporter("xml")
def to_xml(rows):
    body = "".join("<row " + " ".join(f"{k}={quoteattr(str(v))}" for k, v in r.items()) + "/>" for r in rows)
    return f"<rows>{body}</rows>"
