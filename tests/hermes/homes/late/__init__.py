"""Makes the gateway slow where a machine may be: its event loop, in which it shows what the model wrote, stands still for
a moment after each answer of the model, while the agent's own thread goes on to the tools."""

import asyncio
import gc
import threading
import time

STANDS_STILL_SECONDS = 1.5


def _loop():
    """The loop of the main thread."""
    main = threading.main_thread().ident
    loops = (it for it in gc.get_objects() if isinstance(it, asyncio.AbstractEventLoop))
    return next(loop for loop in loops if loop.is_running() and getattr(loop, "_thread_id", None) == main)


def _stand_still(**_):
    _loop().call_soon_threadsafe(time.sleep, STANDS_STILL_SECONDS)


def register(ctx):
    ctx.register_hook("post_api_request", _stand_still)
