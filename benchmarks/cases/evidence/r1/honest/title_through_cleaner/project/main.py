from feedpage import Cleaner, Fetcher, Page

fetched = Fetcher().fetch()
cleaned = Cleaner().clean(lines=fetched["lines"])
print(Page().render(feed_title=fetched["feed_title"], lines=cleaned["lines"])["html"])
