"""Pictures of the real meshes as a camera would take them: soft light, table, contact shadows."""
