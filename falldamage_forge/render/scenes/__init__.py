"""Scene files: the printed table as one file for viewers, phones, painters and virtual tables."""
