"""One file's text as facts: `values` are the nouns, `reading` and `expressions` make them, `files` finds the files."""
