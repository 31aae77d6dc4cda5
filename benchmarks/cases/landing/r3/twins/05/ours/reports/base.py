"""Reports: a template method and its hooks."""


class Report:
    title = "report"

    def __init__(self, rows):
        self.rows = list(rows)

    def keep(self, row):
        return True

    def render_head(self):
        return f"== {self.title} =="

    def render_record(self, number, row):
        """The numbered form; reports that only care for the row override render_row."""
        return f"{number}. " + self.render_row(row)

    def render_row(self, row):
        return "  ".join(f"{key}={row[key]}" for key in sorted(row))

    def render(self):
        kept = [row for row in self.rows if self.keep(row)]
        lines = [self.render_head()]
        lines += [self.render_record(number, row) for number, row in enumerate(kept, 1)]
        lines.append(f"-- {len(kept)} rows")
        return "\n".join(lines)
