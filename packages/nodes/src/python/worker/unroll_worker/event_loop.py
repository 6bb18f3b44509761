"""One event loop, in its own thread, for all async nodes of the process."""

import asyncio
import contextvars
import threading


class EventLoop:
    def __init__(self):
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._serve, daemon=True).start()

    def run(self, awaitable, finish, fail):
        context = contextvars.copy_context()
        self._loop.call_soon_threadsafe(self._start, awaitable, finish, fail, context=context)

    def _serve(self):
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _start(self, awaitable, finish, fail):
        task = self._loop.create_task(_complete(awaitable))
        task.add_done_callback(lambda done: _settle(done, finish, fail))


async def _complete(awaitable):
    """What was raised is handed on as a value: a task that raises SystemExit or KeyboardInterrupt ends the whole loop."""
    try:
        return await awaitable, None
    except BaseException as error:
        return None, error


def _settle(task, finish, fail):
    try:
        value, error = task.result()
    except BaseException as raised:
        value, error = None, raised
    if error is not None:
        fail(error)
    else:
        finish(value)
