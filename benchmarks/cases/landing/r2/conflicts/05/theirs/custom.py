"""Own views."""

from views import View


class Quiet(View):
    def show(self, values):
        return ""


class Loud(View):
    def render(self, value):
        return str(value).upper()
