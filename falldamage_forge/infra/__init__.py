"""Infrastructure: disk, processes, tables, progress. It knows nothing of maps."""
