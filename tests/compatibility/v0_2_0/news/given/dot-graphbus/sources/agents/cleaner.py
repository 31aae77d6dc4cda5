"""CleanerService: makes headlines fit to be read."""
import html
import re

from graphbus_core import GraphBusNode, depends_on, schema_method

from .shapes import Headline

WORDS_A_MINUTE = 230

TAGS = re.compile(r'<[^>]+>')
SPACES = re.compile(r'\s+')


class CleanerService(GraphBusNode):
    SYSTEM_PROMPT = '''
    I clean headlines: no markup, no double spaces, no story twice.

    During build cycles, I care about:
    - My input must be exactly what FetcherService sends
    - What I do not need I pass through unchanged

    I will reject proposals that make me guess.
    '''

    # Two stories are one when link or title are the same.
    @depends_on('FetcherService.fetch_headlines')
    @schema_method(
        input_schema={
            'headlines': list[Headline],   # what the fetcher found
            'feed_title': str,
        },
        output_schema={
            'articles': list[Headline],
            'minutes': float,          # reading time of it all
            'feed_title': str,
        },
    )
    def clean(self, headlines, feed_title):
        articles, seen = [], set()

        for item in headlines:
            article = {key: plain(value) for key, value in item.items()}
            marks = {article['link'], normal(article['title'])} - {''}
            if not article['title'] or marks & seen:
                continue
            seen |= marks
            articles.append(article)

        words = sum(len(f"{a['title']} {a['summary']}".split()) for a in articles)
        return {
            'articles': articles,
            'minutes': words / WORDS_A_MINUTE,
            'feed_title': feed_title,
        }


def plain(text):
    """Text without markup: tags out, entities read, spaces single."""
    return SPACES.sub(' ', html.unescape(TAGS.sub(' ', html.unescape(text)))).strip()


def normal(title):
    """A title to compare by: case and punctuation do not make a new story."""
    return re.sub(r'\W+', ' ', title).strip().casefold()
