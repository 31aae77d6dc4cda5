"""Turns access log lines into spans."""
from graphbus_core import GraphBusNode, schema_method


class Collector(GraphBusNode):
    SYSTEM_PROMPT = "I make spans."

    @schema_method(
        input_schema={"line": str},
        output_schema={
            "request_method": str,
            "path": str,
            "response_status_code": int,
            "duration_ms": int,
            "resend_count": int,
        },
    )
    def span(self, line):
        match line.split():
            case [verb, path, status, took, resent]:
                return {
                    "request_method": verb,
                    "path": path,
                    "response_status_code": int(status),
                    "duration_ms": int(took),
                    "resend_count": int(resent),
                }
            case _:
                raise ValueError(f"not a log line: {line}")
