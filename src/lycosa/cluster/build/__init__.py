"""The build on many machines: Ray reads the documents, the rest is as on one machine."""
