from typing import NotRequired

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method

from .shapes import Headline

WIDTH = 76

class FormatterService(GraphBusNode):
    """Writes the digest that people read."""

    SYSTEM_PROMPT = (
        "I write the digest: a header with the name of the feed and the reading time, "
        "then each story with its first sentence. I want to name the feed in the header, "
        "and I can live without an edition: it has a default."
    )

    @depends_on("CleanerService.clean")
    @publishes("/News/Digest", {"digest": str})
    @schema_method(
        input_schema={"feed_title": str, "articles": list[Headline], "minutes": float, "edition": NotRequired[str]},
        output_schema={"digest": str}
    )
    def format_digest(self, feed_title, articles, minutes, edition="Morning edition"):

        header = f"{feed_title} | {edition}"
        lines = [header, "=" * len(header)]
        lines.append(f"{len(articles)} stories, {max(1, round(minutes))} min to read")

        for number, article in enumerate(articles, 1):
            lines += ["", f"{number}. {article['title']}"]
            if article["summary"]:
                lines.append("   " + self.first_sentence(article["summary"]))
            lines.append("   " + article["link"])

        digest = "\n".join(lines)
        self.publish("/News/Digest", {"digest": digest})
        return {"digest": digest}

    def first_sentence(self, text: str) -> str:
        end = text.find(". ")
        sentence = text if end < 0 else text[:end + 1]
        return sentence if len(sentence) <= WIDTH else sentence[:WIDTH - 1].rstrip() + "…"
