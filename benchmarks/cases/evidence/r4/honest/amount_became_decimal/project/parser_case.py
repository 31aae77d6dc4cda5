RAW = "rent|0.10"
