"""An event that ends a wait, and a wait that ends by itself."""

from __future__ import annotations

import asyncio


class WakeEvent(asyncio.Event):
    """An event to wait for at most some seconds, without the task that `asyncio.wait_for` makes."""

    async def wait_at_most(self, seconds: float) -> None:
        """Wait until the event is set; set it when the time is over."""
        timer = asyncio.get_running_loop().call_later(max(seconds, 0.0), self.set)
        try:
            await self.wait()
        finally:
            timer.cancel()
