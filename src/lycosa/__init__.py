"""Lycosa: a web spider that learns which links lead to the pages you want."""
