"""Pictures of boards and pieces: drawings, 3D renders, PDF and HTML pages, terminal text."""
