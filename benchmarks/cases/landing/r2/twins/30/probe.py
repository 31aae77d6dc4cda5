import log_file, reader_log
log_file.LINES.append("x")
assert reader_log.last() == "x"
