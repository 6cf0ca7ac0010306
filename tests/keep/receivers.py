"""A mail server and a webhook on loopback that keep what they receive."""

from __future__ import annotations

import json
import socketserver
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, HTTPServer


class MailServer(socketserver.ThreadingTCPServer):
    """Takes mails by SMTP; `refuses` lets it answer 451 to them, `password` asks for a log-in."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Session)
        self.mails = []
        self.refuses = False
        self.logins = []


class _Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.reply(220, "ready")
        while line := self.rfile.readline():
            command = line.split()[0].upper() if line.split() else b""
            match command:
                case b"EHLO":
                    self.wfile.write(b"250-loopback\r\n250 AUTH PLAIN\r\n")
                case b"AUTH":
                    self.server.logins.append(line)
                    self.reply(535 if self.server.refuses else 235, "log-in")
                case b"DATA":
                    self.reply(354, "go on")
                    lines = []
                    while (part := self.rfile.readline()) != b".\r\n":
                        lines.append(part)
                    if self.server.refuses:
                        self.reply(451, "later")
                    else:
                        found = message_from_bytes(b"".join(lines), policy=policy.default)
                        self.server.mails.append(found)
                        self.reply(250, "taken")
                case b"QUIT":
                    self.reply(221, "bye")
                    return
                case _:
                    self.reply(250, "ok")

    def reply(self, code, words):
        self.wfile.write(f"{code} {words}\r\n".encode())


class Webhook(HTTPServer):
    """Takes JSON by POST; `status` is what it answers."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Post)
        self.posts = []
        self.status = 204

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hook?key=secret"


class _Post(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.status < 300:
            self.server.posts.append((self.path, dict(self.headers), body, json.loads(body)))
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def running(server):
    """Serve in a thread until the end of the block."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
