"""Dovecot on a port of this computer, with a mailbox for one person."""

from __future__ import annotations

import getpass
import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from trustme import CA

from porto_cli.settings import Mail

USER, SECRET = "ines", 'correct "horse" bättery'
PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CONFIG = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:{folder}/mail
namespace inbox {{
  inbox = yes
  separator = /
}}
first_valid_uid = 1
default_internal_user = {owner}
default_internal_group = {group}
default_login_user = {stranger}
auth_failure_delay = 0
passdb {{
  driver = passwd-file
  args = {folder}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}
}}
service imap-login {{
  {chroot}
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service anvil {{
  {chroot}
}}
service stats {{
  {chroot}
}}
"""


class Dovecot:
    """A server that is running, with a maildir of its own."""

    def __init__(self, folder: Path, authority: CA, port: int, tls_port: int) -> None:
        self.folder = folder
        self.authority = authority
        self.port = port
        self.tls_port = tls_port
        self.box = folder / "mail"

    def account(self, secret: str = SECRET) -> Mail:
        """Return the account in the settings of somebody who has a password."""
        file = self.folder / "typed"
        file.write_text(f"{secret}\n", "utf-8")
        how = Mail(server="localhost", port=self.tls_port, security="tls", user=USER)
        return how._replace(password_command=f'cat "{file}"')

    def put(self, *messages: bytes, folder: str = "") -> list[Path]:
        """Put messages into the maildir, as a server that delivers them."""
        files = []
        for message in messages:
            name = f"{time.time_ns()}.M{len(os.listdir(self.box / 'new'))}.here"
            files.append(self.box / folder / "new" / name)
            files[-1].write_bytes(message)
            os.chmod(files[-1], 0o666)
        return files

    def names(self, folder: str = "") -> list[str]:
        """Return the names of the messages in a folder, with their marks."""
        parts = (self.box / folder / part for part in ("new", "cur"))
        return sorted(name for part in parts if part.exists() for name in os.listdir(part))


@contextmanager
def dovecot(certified: str = "localhost") -> Iterator[Dovecot]:
    """Run Dovecot, with a certificate of an authority of its own."""
    if PROGRAM is None:
        pytest.skip("dovecot is not installed")
    authority, ports = CA(), []
    for _ in range(2):
        with socket.create_server(("127.0.0.1", 0)) as free:
            ports.append(free.getsockname()[1])
    # Not below the folder of pytest, into which nobody else can look: root is no user of Dovecot.
    with tempfile.TemporaryDirectory(prefix="dovecot-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        is_root = os.getuid() == 0
        owner = pwd.getpwnam("nobody") if is_root else pwd.getpwuid(os.getuid())
        certificate = authority.issue_cert(certified)
        certificate.private_key_pem.write_to_path(folder / "key.pem")
        for part in certificate.cert_chain_pems:
            part.write_to_path(folder / "cert.pem", append=True)
        authority.cert_pem.write_to_path(folder / "ca.pem")
        (folder / "users").write_text(f"{USER}:{{PLAIN}}{SECRET}\n", "utf-8")
        for part in ("", "new", "cur", "tmp"):
            (folder / "mail" / part).mkdir()
            os.chown(folder / "mail" / part, owner.pw_uid, owner.pw_gid)
        os.chmod(folder, 0o755)
        (folder / "dovecot.conf").write_text(
            CONFIG.format(
                folder=folder,
                owner="root" if is_root else getpass.getuser(),
                group="root" if is_root else grp.getgrgid(owner.pw_gid).gr_name,
                stranger=owner.pw_name,
                uid=owner.pw_uid,
                gid=owner.pw_gid,
                chroot="" if is_root else "chroot =",
                port=ports[0],
                tls_port=ports[1],
            )
        )
        with subprocess.Popen([PROGRAM, "-F", "-c", folder / "dovecot.conf"]) as server:
            try:
                _wait_for(ports, folder)
                yield Dovecot(folder, authority, *ports)
            finally:
                server.terminate()


def _wait_for(ports: list[int], folder: Path) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with suppress(OSError):
            for port in ports:
                socket.create_connection(("127.0.0.1", port), 5).close()
            return
        time.sleep(0.05)
    raise AssertionError((folder / "log").read_text())
