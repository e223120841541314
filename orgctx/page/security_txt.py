"""/.well-known/security.txt (RFC 9116): whom to tell about a weakness of the service."""

from __future__ import annotations

from functools import cache

from orgctx.page.files import File

PATH = "/.well-known/security.txt"


@cache
def security_txt(contact: str, expires_at: str, base_url: str) -> File:
    """Return the file. contact: the addresses as URLs, separated by commas."""
    lines = [
        *(f"Contact: {address.strip()}" for address in contact.split(",")),
        f"Expires: {expires_at}",
        f"Canonical: {base_url}{PATH}",
        "",
    ]
    return File("security.txt", "\n".join(lines).encode(), is_immutable=False)
