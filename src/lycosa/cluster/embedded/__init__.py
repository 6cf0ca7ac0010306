"""A cluster on one machine: a private PostgreSQL and a local Ray, for a first try and for tests."""
