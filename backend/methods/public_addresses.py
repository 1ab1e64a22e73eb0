"""Which IP addresses are of the public internet: a server must not ask its own network for strangers."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

# The special-purpose registries of IANA, without the networks that are reachable from everywhere.
NOT_PUBLIC_V4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
            "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        ),
    )
)  # fmt: skip
# Only 2000::/3 is public: not ::/96, ::ffff:0:0/96, NAT64 (64:ff9b::/96), fc00::/7, fe80::/10, fec0::/10 or ff00::/8.
PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
NOT_PUBLIC_V6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def is_public(address: str, also: Iterable[Network] = ()) -> bool:
    """Whether an IP address is one of the public internet, or in one of the networks `also`.

    >>> [is_public(one) for one in ("93.184.216.34", "10.0.0.7", "::ffff:93.184.216.34", "2606:2800:220:1::1")]
    [True, False, False, True]
    """
    if is_in(address, also):
        return True
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in NOT_PUBLIC_V4)
    return ip.scope_id is None and ip in PUBLIC_V6 and not any(ip in network for network in NOT_PUBLIC_V6)


def is_in(address: str, networks: Iterable[Network]) -> bool:
    """Whether an IP address is in one of these networks.

    >>> is_in("127.0.0.1", [ipaddress.ip_network("127.0.0.0/8")])
    True
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(ip in network for network in networks)
