"""Pictures of boards and pieces."""
