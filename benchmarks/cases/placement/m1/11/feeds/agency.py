from feeds.base import Feed


class Wire(Feed):
    def clean(self, text):
        return super().clean(text).removeprefix("URGENT: ")


class Local(Feed):
    embargo = ()
    retries = 1

    def clean(self, text):
        return super().clean(text).capitalize()
