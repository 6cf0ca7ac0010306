"""From bytes to pages: URLs, character decoding, HTML, robots.txt, sitemaps, words."""
