"""Sending of digests: by mail over SMTP (RFC 5321), and to a webhook over HTTP.

Secrets are read when they are used, from the environment or a file, and appear in no
message. A webhook is called at an address that the policy allows, which is looked up once;
redirects are not followed.
"""

from __future__ import annotations

import hmac
import http.client
import json
import logging
import os
import smtplib
import socket
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.errors import LycosaError, UsageError
from lycosa.project.sections import Notify

TIMEOUT_SECONDS: Final = 30.0
SMTP_PASSWORD: Final = "LYCOSA_SMTP_PASSWORD"  # noqa: S105 - the name of a variable
WEBHOOK_SECRET: Final = "LYCOSA_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable

_log = logging.getLogger("lycosa.keep")


class NotSent(LycosaError):
    """A digest could not be sent; it is sent later."""


def send_mail(message: EmailMessage, notify: Notify, environment: Mapping[str, str]) -> None:
    """Send a mail by the server of the settings."""
    try:
        context = ssl.create_default_context()
        if notify.smtp_security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                notify.smtp_host, notify.smtp_port, timeout=TIMEOUT_SECONDS, context=context
            )
        else:
            server = smtplib.SMTP(notify.smtp_host, notify.smtp_port, timeout=TIMEOUT_SECONDS)
        with server:
            if notify.smtp_security == "starttls":
                server.starttls(context=context)
            if notify.smtp_user:
                server.login(notify.smtp_user, _password(notify, environment))
            server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        # The error of a failed log-in may repeat what was sent: only its kind is told.
        _log.debug("the mail server %s failed: %s", notify.smtp_host, type(error).__name__)
        raise NotSent(
            f"The mail server {notify.smtp_host} did not take the mail: {_reason(error)}."
        ) from None


def post(content: Mapping[str, Any], notify: Notify, environment: Mapping[str, str]) -> None:
    """Post JSON to the webhook of the settings; any answer from 200 to 299 is a success."""
    parts = urlsplit(notify.webhook or "")
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    body = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "lycosa",
        "Idempotency-Key": str(content["id"]),
    }
    if secret := environment.get(WEBHOOK_SECRET):
        signature = hmac.new(secret.encode(), body, "sha256").hexdigest()
        headers["X-Lycosa-Signature"] = f"sha256={signature}"
    allowed = notify.webhook_private
    policy = AddressPolicy(allow_loopback=allowed, allow_private=allowed)
    try:
        address = _address(host, port, policy)
        connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
        raw = socket.create_connection((address, port), TIMEOUT_SECONDS)
        with raw:
            connection.sock = raw
            if secure:
                context = ssl.create_default_context()
                connection.sock = context.wrap_socket(raw, server_hostname=host)
            path = parts.path or "/"
            connection.request("POST", f"{path}?{parts.query}" if parts.query else path,
                               body, headers)  # fmt: skip
            status = connection.getresponse().status
            connection.close()
    except (OSError, http.client.HTTPException) as error:
        _log.debug("the webhook at %s failed: %s", host, type(error).__name__)
        raise NotSent(f"The webhook at {host} cannot be reached: {_reason(error)}.") from None
    if not 200 <= status < 300:
        raise NotSent(f"The webhook at {host} answered {status}.")


def _address(host: str, port: int, policy: AddressPolicy) -> str:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for *_, address in found:
        if policy.allows(str(address[0])):
            return str(address[0])
    raise UsageError(
        f"The webhook at {host} is on this machine or in a private network: if you want that, "
        "write webhook-private = true under [notify]."
    )


def _password(notify: Notify, environment: Mapping[str, str]) -> str:
    if notify.smtp_password_file is not None:
        try:
            return Path(notify.smtp_password_file).read_text(encoding="utf-8").strip()
        except OSError as error:
            _log.debug("the file of the password cannot be read", exc_info=error)
            raise UsageError(f"{notify.smtp_password_file} cannot be read.") from None
    if SMTP_PASSWORD not in environment:
        raise UsageError(f"The mail server needs a password: set {SMTP_PASSWORD}.")
    return environment[SMTP_PASSWORD]


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return "wrong name or password"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"it answered {error.smtp_code}"
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)
    return type(error).__name__
