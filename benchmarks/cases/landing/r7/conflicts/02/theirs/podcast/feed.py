from xml.sax.saxutils import escape


def feed(catalogue, show):
    items = []
    page, _ = catalogue.episodes(show)
    for published, title in page:
        items.append(f"<item><title>{escape(title)}</title><pubDate>{published}</pubDate></item>")
    return f"<channel><title>{escape(show)}</title>{''.join(items)}</channel>"
