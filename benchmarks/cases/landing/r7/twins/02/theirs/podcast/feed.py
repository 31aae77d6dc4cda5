from xml.sax.saxutils import escape


def feed(catalogue, show):
    items = []
    for published, title in catalogue.episodes(show):
        items.append(f"<item><title>{escape(title)}</title><pubDate>{published}</pubDate></item>")
    return f"<channel><title>{escape(show)}</title>{''.join(items)}</channel>"
