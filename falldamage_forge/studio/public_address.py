"""Public address of a site of the studio: share links and previews lead there."""

from __future__ import annotations

from urllib.parse import urlsplit

from falldamage_forge.infra.visible_text import escape

STUDIO = "studio.html"
"""File name of the studio's page on a site."""
_HEAD = b"</head>"


def read_address(text: str) -> str:
    """Return an address with its final slash.

    Args:
        text: An absolute http or https address of a folder.

    Raises:
        ValueError: If it is no such address.
    """
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("it is no http or https address, such as https://example.org/forge/")
    if parts.query or parts.fragment:
        raise ValueError("it has a query or a fragment; give the address of a folder")
    return text.rstrip("/") + "/"


def canonical_link(address: str) -> str:
    """Return the line of a page's head that names its public address."""
    return f'<link rel="canonical" href="{escape(address)}">'


def with_public_address(page: bytes, address: str) -> bytes:
    """Return the studio's page with share links that lead to a public site.

    Args:
        page: HTML of the page.
        address: Address of the public site.
    """
    return page.replace(_HEAD, canonical_link(address + STUDIO).encode() + b"\n" + _HEAD, 1)
