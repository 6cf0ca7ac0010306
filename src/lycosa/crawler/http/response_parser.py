r"""A parser of HTTP/1.1 responses to GET requests (RFC 9112), without input or output.

It is fed with what arrives, in pieces of any size, and ends with the response, or
raises an `AbortedResponse` with a fault. As browsers do it accepts a bare LF at the end
of a line, and lines of a header that are continued.

>>> parser = ResponseParser(Limits())
>>> parser.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHe")
False
>>> parser.feed(b"llo"), parser.status, parser.content, parser.keep_alive
(True, 200, b'Hello', True)
"""

from __future__ import annotations

import re
from enum import Enum, auto

from lycosa.crawler.http.body import AbortedResponse, Body
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Accept, Limits
from lycosa.crawler.http.response import header_text

_BEGIN = b"HTTP/1."
_STATUS_LINE = re.compile(rb"HTTP/(1\.\d) ([1-9]\d\d)(?: [^\r\n\0]*)?")
_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
_LINE = re.compile(rb"[^\r\n]*\r?\n")
_MAX_CHUNK_LINE_BYTES = 4096
_MAX_LENGTH_DIGITS = 18
_MAX_INTERIM = 100  # responses such as 103 Early Hints
_SWITCHING_PROTOCOLS = 101
_WITHOUT_BODY = frozenset((204, 304))


class _State(Enum):
    HEAD = auto()
    LENGTH = auto()  # of a body is known
    CHUNK_SIZE = auto()
    CHUNK_DATA = auto()
    CHUNK_END = auto()
    TRAILER = auto()
    UNTIL_CLOSE = auto()
    DONE = auto()


class ResponseParser:
    """Parses one response.

    Parameters
    ----------
    limits
        Maximum sizes; `Limits.head` bounds all lines of the header together.
    accept
        Decides before the body is received whether it is wanted.
    """

    __slots__ = (
        "_accept", "_body", "_buffer", "_interim", "_limits", "_missing", "_searched", "_state",
        "_trailer", "content", "headers", "keep_alive", "line", "status",
    )  # fmt: skip

    def __init__(self, limits: Limits, accept: Accept | None = None) -> None:
        self.status = 0
        """The status; 0 before the header is complete."""
        self.line = ""
        """The status line, as sent."""
        self.headers: tuple[tuple[bytes, bytes], ...] = ()
        """The headers, as sent."""
        self.keep_alive = False
        """Whether another request may follow on the connection."""
        self.content = b""
        """The decoded body, when the response is complete."""
        self._limits = limits
        self._accept = accept
        self._state = _State.HEAD
        self._buffer = b""
        self._searched = 0  # bytes of the buffer without the end of a header
        self._interim = 0  # responses before this one
        self._missing = 0  # bytes of the body, or of a chunk
        self._trailer = 0  # bytes after the last chunk
        self._body: Body | None = None

    @property
    def transferred(self) -> int:
        """Bytes of the body that were received."""
        return 0 if self._body is None else self._body.transferred

    def feed(self, data: bytes) -> bool:
        """Take in some bytes; return whether the response is complete."""
        state = self._state
        if state is _State.HEAD:
            self._read_head(data)
        elif state is _State.LENGTH:
            self._read_length(data)
        elif state is _State.UNTIL_CLOSE:
            self._receive(data)
        else:
            self._read_chunks(data)
        return self._state is _State.DONE

    def feed_eof(self) -> None:
        """End a body whose length was not known; raise if the response is incomplete."""
        if self._state is _State.HEAD:
            raise AbortedResponse(Fault.RESET)
        if self._state is not _State.UNTIL_CLOSE:
            raise AbortedResponse(Fault.BROKEN_BODY)
        self._end(b"")

    def _read_head(self, data: bytes) -> None:
        while True:
            # Empty lines before a response are ignored.
            buffer = self._buffer + data if self._buffer else data.lstrip(b"\r\n")
            if not _BEGIN.startswith(buffer[: len(_BEGIN)]):
                raise AbortedResponse(Fault.BAD_ANSWER)
            end, rest = _find_head(buffer, self._searched)
            if (end if rest else len(buffer)) > self._limits.head:
                raise AbortedResponse(Fault.BAD_ANSWER)
            if not rest:
                self._buffer, self._searched = buffer, max(len(buffer) - 3, 0)
                return
            self._parse_head(buffer[:end])
            self._buffer, self._searched = b"", 0
            if self.status >= 200:
                break
            self._interim += 1
            if self.status == _SWITCHING_PROTOCOLS or self._interim > _MAX_INTERIM:
                raise AbortedResponse(Fault.BAD_ANSWER)
            self.status, self.line, self.headers = 0, "", ()
            data = buffer[rest:]  # after an interim response (RFC 9110, 15.2)
        self._begin_body(buffer[rest:])

    def _parse_head(self, head: bytes) -> None:
        lines = head.split(b"\r\n")
        if b"\n" in head and any(b"\n" in line for line in lines):
            lines = re.split(rb"\r?\n", head)
        found = _STATUS_LINE.fullmatch(lines[0])
        if found is None:
            raise AbortedResponse(Fault.BAD_ANSWER)
        headers: list[tuple[bytes, bytes]] = []
        for line in lines[1:]:
            name, colon, value = line.partition(b":")
            if colon and _NAME.fullmatch(name):
                headers.append((name, value.strip(b" \t")))
            elif headers and line[:1] in (b" ", b"\t"):
                name, value = headers[-1]
                headers[-1] = name, (value + b" " + line.strip(b" \t")).strip()
            else:
                raise AbortedResponse(Fault.BAD_ANSWER)
        if b"\0" in head or b"\r" in b"".join(value for _, value in headers):
            raise AbortedResponse(Fault.BAD_ANSWER)
        self.status = int(found[2])
        self.line = header_text(lines[0]).rstrip()
        self.headers = tuple(headers)
        self.keep_alive = found[1] != b"1.0"

    def _begin_body(self, rest: bytes) -> None:
        length: int | None = None
        chunked = until_close = False
        coding = kind = b""
        for name, value in self.headers:
            match name.lower():
                case b"content-length":
                    length = _length(value, length)
                case b"transfer-encoding":
                    chunked = value.lower().rpartition(b",")[2].strip() == b"chunked"
                    until_close = not chunked
                case b"content-encoding":
                    coding = coding + b"," + value if coding else value
                case b"content-type":
                    kind = kind or value
                case b"connection":
                    options = {option.strip() for option in value.lower().split(b",")}
                    if b"close" in options:
                        self.keep_alive = False
                    elif b"keep-alive" in options:
                        self.keep_alive = True
        if chunked or until_close:
            # Both lengths in one response are an attempt to smuggle: nothing may follow it.
            self.keep_alive = self.keep_alive and length is None and chunked
            length = None
        if self._accept is not None:
            fault = self._accept(self.status, header_text(kind), length)
            if fault is not None:
                raise AbortedResponse(fault)
        if self.status in _WITHOUT_BODY:
            self._end(rest)
            return
        if length is not None and length > self._limits.transferred:
            raise AbortedResponse(Fault.TOO_LARGE)
        self._body = Body(self._limits)
        if coding:
            self._body.decode(header_text(coding))
        if chunked:
            self._state = _State.CHUNK_SIZE
            self._read_chunks(rest)
        elif length is None:
            self._state, self.keep_alive = _State.UNTIL_CLOSE, False
            if rest:
                self._receive(rest)
        else:
            self._state, self._missing = _State.LENGTH, length
            self._read_length(rest)

    def _receive(self, piece: bytes) -> None:
        assert self._body is not None  # noqa: S101 - states of a body have one
        self._body.receive(piece)

    def _read_length(self, data: bytes) -> None:
        missing = self._missing
        if len(data) <= missing:
            if data:
                self._receive(data)
            self._missing = missing = missing - len(data)
            if not missing:
                self._end(b"")
            return
        if missing:
            self._receive(data[:missing])
        self._end(data[missing:])

    def _read_chunks(self, data: bytes) -> None:
        """Undo the chunked coding (RFC 9112, 7.1)."""
        data, at = self._buffer + data if self._buffer else data, 0
        while True:
            if self._state is _State.CHUNK_DATA:
                piece = data[at : at + self._missing] if at or len(data) > self._missing else data
                if piece:
                    self._receive(piece)
                    at += len(piece)
                    self._missing -= len(piece)
                if self._missing:
                    self._buffer = b""
                    return
                self._state = _State.CHUNK_END
            pattern = _CHUNK_SIZE if self._state is _State.CHUNK_SIZE else _LINE
            line = pattern.match(data, at)
            if line is None:
                self._wait_for_line(data[at:])
                return
            at = line.end()
            if self._state is _State.CHUNK_SIZE:
                self._missing = int(line[1], 16)
                self._state = _State.CHUNK_DATA if self._missing else _State.TRAILER
            elif self._state is _State.CHUNK_END:
                if line[0].strip():
                    raise AbortedResponse(Fault.BROKEN_BODY)
                self._state = _State.CHUNK_SIZE
            elif not line[0].strip():
                self._end(data[at:])
                return
            else:
                self._trailer += len(line[0])
                if self._trailer > self._limits.head:
                    raise AbortedResponse(Fault.BROKEN_BODY)

    def _wait_for_line(self, begun: bytes) -> None:
        """Keep the beginning of a line until the rest arrives; raise if it cannot be one."""
        if len(begun) > _MAX_CHUNK_LINE_BYTES or b"\n" in begun:
            raise AbortedResponse(Fault.BROKEN_BODY)
        self._buffer = begun

    def _end(self, surplus: bytes) -> None:
        """Complete the response; what follows it on the connection is in `surplus`."""
        if self.keep_alive and surplus.strip(b"\r\n"):
            # A server that sends more than it announces may mean anything by it.
            raise AbortedResponse(Fault.BAD_ANSWER)
        self.content = b"" if self._body is None else self._body.end()
        self._state = _State.DONE


def _find_head(buffer: bytes, searched: int) -> tuple[int, int]:
    """Return where a header ends and where what follows begins; zeros if it does not end."""
    end = buffer.find(b"\r\n\r\n", searched)
    if end >= 0 and buffer.find(b"\n\n", searched, end) < 0:
        return end, end + 4
    found = _HEAD_END.search(buffer, searched)
    return (0, 0) if found is None else found.span()


def _length(value: bytes, before: int | None) -> int:
    if not value.isdigit() or len(value) > _MAX_LENGTH_DIGITS:
        raise AbortedResponse(Fault.BAD_ANSWER)
    length = int(value)
    if before not in (None, length):
        raise AbortedResponse(Fault.BAD_ANSWER)
    return length
