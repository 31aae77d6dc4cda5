"""The seed's blocks, the report, the certificate, and how anybody computes it again."""
