"""Bytes to pages: URLs, decoding, HTML, the words around a link."""
