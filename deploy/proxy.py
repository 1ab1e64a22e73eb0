"""nginx outside a container: fills deploy/nginx.conf.template in and writes the few lines an image brings along."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from string import Template

from deploy.compose import ROOT
from deploy.native import Place

DIST = ROOT / "frontend" / "dist"
TEMPLATE = ROOT / "deploy" / "nginx.conf.template"
PLACEHOLDER = re.compile(r"\$\{(\w+)\}")
MAIN = Template(
    """\
$user
worker_processes 1;
pid $folder/nginx.pid;
error_log stderr;
events { }
http {
    include $mime_types;
    client_body_temp_path $folder/nginx-body;
    proxy_temp_path $folder/nginx-proxy;
    fastcgi_temp_path $folder/nginx-fastcgi;
    uwsgi_temp_path $folder/nginx-uwsgi;
    scgi_temp_path $folder/nginx-scgi;
    include $site;
}
"""
)


def nginx() -> str | None:
    """The path of nginx, which Debian puts where ordinary users do not look; None where it is not installed."""
    return shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))


def site_configuration(place: Place, settings: Mapping[str, str], front_end: Path = DIST) -> str:
    """The template with this place's addresses and folders, and the settings of the proxy service.

    Raises KeyError for a variable nobody fills in.
    """
    values = {
        **settings,
        "LISTEN": f"127.0.0.1:{place.proxy_port}",
        "WEB": f"127.0.0.1:{place.web_port}",
        "FRONTEND": str(front_end),
        "MEDIA": str(place.data / "media"),
    }
    return PLACEHOLDER.sub(lambda match: values[match[1]], TEMPLATE.read_text())


def write_configuration(place: Place, settings: Mapping[str, str], front_end: Path = DIST) -> None:
    """Write the site's file and the main one that includes it into the place's folder."""
    site = place.folder / "site.conf"
    site.write_text(site_configuration(place, settings, front_end))
    # As root, nginx would hand its workers to a user who cannot read a private temporary folder.
    user = "user root;" if os.geteuid() == 0 else ""
    place.proxy_configuration.write_text(
        MAIN.substitute(user=user, folder=place.folder, mime_types=_mime_types(), site=site)
    )


def _mime_types() -> Path:
    told = subprocess.run([nginx() or "nginx", "-V"], capture_output=True, text=True, check=True).stderr
    found = re.search(r"--conf-path=(\S+)", told)
    return Path(found[1] if found else "/etc/nginx/nginx.conf").with_name("mime.types")
