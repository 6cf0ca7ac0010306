"""Documents to text with layout: PDF, PostScript, HTML, plain text."""
