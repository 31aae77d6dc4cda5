"""Reads the lines our services write."""
from logscan.records import LogRecord, Severity

__all__ = ["LogRecord", "Severity"]
