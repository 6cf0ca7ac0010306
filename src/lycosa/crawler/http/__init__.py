"""HTTP: one request in, one response or one named fault out."""
