"""A structured diff -> new text, in memory."""
