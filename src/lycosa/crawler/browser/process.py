"""The browser process: found, started without a network of its own, watched and ended.

The browser has no way to the network: every name resolves to nothing, and every
connection, to this machine too, goes through a proxy that does not exist. What
pages load, `lycosa.crawler.browser.resources` fetches for them. So requests
that DevTools cannot intercept (WebSocket, WebRTC, workers, prefetching, those of
the browser itself) fail instead of escaping.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lycosa.crawler.browser.config import RenderConfig
from lycosa.crawler.browser.devtools import (
    MAX_MESSAGE_BYTES,
    BrowserGone,
    CommandFailed,
    DevTools,
)
from lycosa.errors import UsageError
from lycosa.parent_death import PARENT_DEATH_SIGNAL

_log = logging.getLogger("lycosa.crawler")

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
"""The programs that are looked for, in this order."""

START_SECONDS = 60.0  # a busy machine takes many seconds to load it
STOP_SECONDS = 5.0
_POLL_SECONDS = 0.02
_ENDED = "ZX"  # states of processes: zombie and dead
_PROFILE_PREFIX = "lycosa-browser-"
_PROFILE_SECONDS = 86_400
_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    # No way to the network, whatever a page tries.
    "--proxy-server=http://proxy.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--no-pings",
    "--dns-prefetch-disable",
    # No requests of its own.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    # A page is fetched as it was linked: no http turns into https.
    "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,"
    "MediaRouter,Translate,LocalNetworkAccessChecks,NetworkPrediction",
    # No images are drawn, and nothing is shown.
    "--blink-settings=imagesEnabled=false",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
    # A page in the background is as quick as one in the foreground.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
)
# DevTools has its pipes at descriptors 3 and 4, which only the started process itself can
# arrange. The browser is killed with the process that started it.
_LAUNCHER = f"""{PARENT_DEATH_SIGNAL}
import fcntl, os, signal, sys
follow_parent(int(sys.argv.pop(1)), signal.SIGKILL)
pipes = []
for number in map(int, sys.argv[1:3]):
    pipes.append(fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 20))
    os.set_inheritable(number, False)
for number, pipe in enumerate(pipes, 3):
    os.dup2(pipe, number)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_browser(path: str | None = None) -> str:
    """Return the path of a Chromium: the given one, or the first one in the PATH."""
    for name in (path,) if path else NAMES:
        if found := shutil.which(name):
            return found
    if path:
        raise UsageError(f"There is no browser {path}: give the path of a Chromium or Chrome.")
    raise UsageError(
        "Rendering needs a Chromium, and none is installed: install the package chromium of your "
        "system, or give the path of one as browser in [rendering]."
    )


class BrowserProcess:
    """A running browser; make one with `start`.

    `devtools` is the connection to it, `process` the process, and `profile` the
    folder of its files, which is removed when it is stopped.
    """

    def __init__(
        self, devtools: DevTools, process: asyncio.subprocess.Process, profile: Path
    ) -> None:
        self.devtools = devtools
        self._process = process
        self._profile = profile

    @classmethod
    async def start(cls, path: str, config: RenderConfig, user_agent: str) -> BrowserProcess:
        """Start the browser at `path`; raise BrowserGone if it does not start.

        `user_agent` is what pages see in `navigator.userAgent`.
        """
        _remove_old_profiles()
        profile = Path(tempfile.mkdtemp(prefix=_PROFILE_PREFIX))
        flags = [
            *_FLAGS,
            f"--user-data-dir={profile}",
            f"--user-agent={user_agent}",
            f"--js-flags=--max-old-space-size={max(config.heap >> 20, 16)}",
        ]
        if os.geteuid() == 0:
            # Chromium's sandbox does not run as root; pages are then kept apart from the
            # system by the process model of the browser alone.
            flags.append("--no-sandbox")
        commands, own_commands = os.pipe()
        own_events, events = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid())),
                *(str(commands), str(events), path, *flags),
                pass_fds=(commands, events),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
                env=_environment(profile),
            )
        except BaseException:
            os.close(own_commands)
            os.close(own_events)
            shutil.rmtree(profile, ignore_errors=True)
            raise
        finally:
            os.close(commands)
            os.close(events)
        browser = cls(await _connect(own_events, own_commands), process, profile)
        try:
            await browser.devtools.call("Browser.getVersion", within=START_SECONDS)
        except (BrowserGone, CommandFailed) as error:
            _log.debug("%s does not start", path, exc_info=True)
            await browser.stop()
            raise BrowserGone from error
        except BaseException:
            await browser.stop()
            raise
        _log.info("Started the browser %s as process %d", path, process.pid)
        return browser

    @property
    def pid(self) -> int:
        """The number of its first process, and of the group of all."""
        return self._process.pid

    def largest(self) -> tuple[int, int]:
        """Return the number and the resident bytes of its largest process; zeros if unknown."""
        return max(_resident(self.pid), key=lambda found: found[1], default=(0, 0))

    async def stop(self) -> None:
        """End all its processes and remove its files."""
        if self.devtools.is_open:
            self.devtools.send("Browser.close")
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    await self._process.wait()
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        await self.devtools.close()
        await self._process.wait()
        # The others end a moment after they were killed, and until then may write to their files.
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while await asyncio.to_thread(list, _resident(self.pid)):
                    await asyncio.sleep(_POLL_SECONDS)
        await asyncio.to_thread(shutil.rmtree, self._profile, ignore_errors=True)


async def _connect(events: int, commands: int) -> DevTools:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MAX_MESSAGE_BYTES)
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(events, "rb", 0)
    )
    writer, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(commands, "wb", 0))
    return DevTools(reader, writer)


def _environment(profile: Path) -> dict[str, str]:
    """Return the variables that the browser needs, and no others: they may hold secrets."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return {**kept, "HOME": str(profile), "TMPDIR": str(profile)}


def _resident(group: int) -> Iterator[tuple[int, int]]:
    """Yield the number and the resident bytes of each process of a group, as Linux tells them.

    Processes that have ended and were not waited for are left out.
    """
    page = os.sysconf("SC_PAGE_SIZE")
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # The name of the program, in brackets, may contain anything.
            after_name = (place / "stat").read_text("latin-1").rpartition(")")[2].split()
            if int(after_name[2]) == group and after_name[0] not in _ENDED:
                yield int(place.name), int(after_name[21]) * page


def _remove_old_profiles() -> None:
    """Remove the files of browsers whose crawl was killed more than a day ago."""
    oldest = time.time() - _PROFILE_SECONDS
    for place in Path(tempfile.gettempdir()).glob(f"{_PROFILE_PREFIX}*"):
        with suppress(OSError):
            # One that is in use is newer: a browser is replaced long before.
            if place.stat().st_mtime < oldest:
                shutil.rmtree(place, ignore_errors=True)
