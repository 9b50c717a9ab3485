"""Inner loops of the fast core. Everything is in one array `m`; `layout` says where.

Each function mirrors one of the plain engine's rooms by the same name and order of events; the
sentences behind the rules are quoted there.
"""
