"""At the terminal, in the browser, over HTTP."""
