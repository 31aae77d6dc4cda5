"""Own views."""

from views import View


class Quiet(View):
    def show(self, values):
        return ""


class Loud(View):
    def show(self, values):
        return super().show(values).upper()
