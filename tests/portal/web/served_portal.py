"""A portal on a real socket, for outside clients."""

import socket
import threading
import time
from contextlib import contextmanager

import uvicorn

from lycosa.portal.web import Settings, make_app

SECONDS = 60.0


@contextmanager
def serving(folder, **settings):
    """Serve a portal in a thread; yield its address."""
    app = make_app(folder, Settings(**{"rate": 0.0, **settings}))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            end = time.monotonic() + SECONDS
            while not server.started:
                assert time.monotonic() < end
                time.sleep(0.005)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(SECONDS)
