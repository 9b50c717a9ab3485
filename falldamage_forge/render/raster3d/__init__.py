"""3D renders of real meshes: camera, depth buffer, soft light, table, contact shadows."""
