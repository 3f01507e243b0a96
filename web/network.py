"""Where other machines find this one."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit, urlunsplit

ANYWHERE = "192.0.2.1"
"""An address for examples (RFC 5737): asking for the way there tells our own address and sends nothing."""


def own_address() -> str:
    """The address other machines on this network reach us by."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
        except OSError:  # no network at all: the page still serves this machine
            return "localhost"
        return str(probe.getsockname()[0])


def for_others(url: str) -> str:
    """The same page as phones reach it: `localhost` would be the phone itself."""
    parts = urlsplit(url)
    if not is_this_machine(parts.hostname or ""):
        return url
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit(parts._replace(netloc=f"{own_address()}{port}"))


def is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
