"""What a build tells other tools: documents that those tools' own judges accept."""
