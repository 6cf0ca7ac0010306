"""What reports are made of: charts, tables, and text that is safe to show."""
