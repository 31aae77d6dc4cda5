"""Plain-text reports: subclasses fill in the hooks."""


class Report:
    title = "Report"

    def __init__(self, rows):
        self.rows = rows

    def header(self):
        return self.title + "\n" + "=" * len(self.title)

    def row(self, row):
        return " ".join(str(cell) for cell in row)

    def footer(self):
        return f"{len(self.rows)} rows"

    def render(self):
        parts = [self.header()]
        parts += [self.row(row) for row in self.rows]
        parts.append(self.footer())
        return "\n".join(parts)
