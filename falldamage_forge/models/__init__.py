"""Models of others: reading, measuring and repair of meshes, and heights on which units stand."""
