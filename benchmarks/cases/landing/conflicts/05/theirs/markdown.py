from exporter import Exporter


class MarkdownExporter(Exporter):
    def format_row(self, row):
        return '| ' + ' | '.join(map(str, row)) + ' |'
