"""Texts of an app, and a translator for those that are missing.

>>> TextStore().fetch("greeting", "sv")["text"]
'Hej'
>>> Translator().translate("Good day", source_lang="en")["words"]
['hyvää', 'päivää']
"""
from types import MappingProxyType

from graphbus_core import GraphBusNode, depends_on, schema_method

TEXTS = MappingProxyType({
    ("greeting", "en"): "Good day",
    ("greeting", "sv"): "Hej",
    ("bye", "sv"): "Hej då",
})
FALLBACK = {"fi": "sv", "sv": "en", "et": "fi"}
WORDS = {
    "en": {"good": "hyvää", "day": "päivää"},
    "sv": {"hej": "hei", "då": "sitten"},
}


class TextStore(GraphBusNode):
    def chain(self, locale):
        while locale is not None:
            yield locale
            locale = FALLBACK.get(locale)

    @schema_method(
        input_schema={"key": str, "locale": str},
        output_schema={"text": str, "locale": str},
    )
    def fetch(self, key, locale):
        for language in self.chain(locale):
            if (key, language) in TEXTS:
                return {"text": TEXTS[key, language], "locale": locale}
        raise KeyError(key)


class Translator(GraphBusNode):
    @depends_on("TextStore.fetch")
    @schema_method(
        input_schema={"text": str, "source_lang": str},
        output_schema={"words": list},
    )
    def translate(self, text, source_lang):
        table = WORDS.get(source_lang, {})
        return {"words": [table.get(w, w) for w in text.lower().split()]}
