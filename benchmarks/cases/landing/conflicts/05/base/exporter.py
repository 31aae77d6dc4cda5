class Exporter:
    def header(self):
        return '#'

    def format_row(self, row):
        return ','.join(str(v) for v in row)

    def export(self, rows):
        return [self.header()] + [self.format_row(r) for r in rows]
