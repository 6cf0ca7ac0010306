"""Building blocks of reports: charts, tables, and sanitised text."""
