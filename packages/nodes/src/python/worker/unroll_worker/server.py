"""Reads requests, runs them, writes replies. One line of JSON each way."""

import json
import os
import sys
import threading

from .call import Call, CallStream, current_call
from .described import described
from .failure import describe
from .given_inputs import GivenInputs
from .handles import Handles
from .loaded_node import load_node
from .logged_metrics import listen_to_installed_metrics
from .model_calls import watch_model_calls
from .modules import import_modules
from .observe import Observer
from .packages import package_identity
from .parent_process import end_with
from .reply_texts import MOST_CHARACTERS, item_json, refuse, report, too_large
from .streams import is_async_iterator, is_iterator, join, join_async
from .threads import Threads
from .told_output import told_output
from .trace import join_trace, leave_trace


class Server:
    def __init__(self, channels):
        self._channels = channels
        self._threads = Threads()
        self._loop = None
        self._nodes = {}
        self._nodes_as_written = {}
        self._active = {}
        self._folder = os.getcwd()
        self._handles = Handles("\0handle")
        self._observer = Observer()
        self._writing = threading.Lock()

    def serve(self):
        real = sys.stderr
        sys.stdout = CallStream("stdout", real, self._only_call)
        sys.stderr = CallStream("stderr", real, self._only_call)
        end_with(os.getppid())
        self._observer.start()
        watch_model_calls(lambda: list(self._active.values()))
        for line in self._channels.lines():
            self._handle(line.decode("utf-8", "surrogatepass"))
        self._leave_in_order(real)

    def _handle(self, line):
        id = "null"
        try:
            if line.startswith("call\t"):
                _, id, how, trace, name, inputs = line.split("\t", 5)
                self._call(id, how, trace, name, inputs)
                return
            request = json.loads(line)
            id = request.get("id")
            op = request["op"]
            if op == "load":
                self._load(request)
            elif op == "read":
                read = self._handles.read(request["handle"], request["at"], request["path"])
                text = self._handles.encode(read)
                self._reply(id, text, None, self._handles.original(read, text))
            elif op == "describe":
                value = self._handles.whole(request["handle"], request["at"])
                self._reply(id, json.dumps(described(value, request["names"])))
            elif op == "equals":
                self._reply(id, json.dumps(self._handles.equals(request["handle"], request["at"], request["other"])))
            elif op == "give":
                self._threads.run(self._give, request)
            elif op == "pack":
                self._reply(id, json.dumps(self._handles.pack(request["handle"])))
            elif op == "taken":
                self._reply(id, self._taken(request["handle"]))
            elif op == "drop":
                self._handles.drop(request["handles"])
            elif op == "import":
                import_modules(request["modules"])
                self._reply(id, "null")
            elif op == "version":
                self._reply(id, '"%d.%d"' % sys.version_info[:2])
            elif op == "package":
                self._reply(id, json.dumps(package_identity(request["module"])))
            elif op == "start":
                self._handles = Handles(request["mark"])
                self._observer.files.seen_from(request["folder"])
                self._reply(id, "null")
        except BaseException as error:
            self._reply_failure(id, error)

    def _give(self, request):
        """An output of the flow: what JSON cannot carry is refused in Python's own words."""
        # A generator only runs now.
        call = Call(request["id"], None, {})
        token = current_call.set(call)
        try:
            value = self._handles.part(request["handle"], request.get("at", ()))
            tell = self._teller(request)
            if is_async_iterator(value):
                self._await_text(call, value, tell)
            elif is_iterator(value):
                self._reply(call.id, json.dumps(join(value, tell, MOST_CHARACTERS)), call)
            else:
                self._reply(call.id, json.dumps(value, default=refuse))
        except BaseException as error:
            self._reply_failure(call.id, error, call)
        finally:
            current_call.reset(token)

    def _teller(self, request):
        """Tells the items of a stream one by one, where somebody sees them come."""
        if not request.get("tells"):
            return lambda text, item: None
        return lambda text, item: self._write_line(
            f'{{"id":{request["id"]},"text":{json.dumps(text)}{item_json(item)}}}\n'
        )

    def _await_text(self, call, stream, tell):
        def finish(text):
            self._reply(call.id, json.dumps(text), call)

        self._event_loop().run(
            join_async(stream, tell, MOST_CHARACTERS), finish, lambda error: self._reply_failure(call.id, error, call)
        )

    def _taken(self, handle):
        return "[" + ", ".join(self._handles.encode(item) for item in self._handles.find(handle).items) + "]"

    def _event_loop(self):
        if self._loop is None:
            from .event_loop import EventLoop

            self._loop = EventLoop()
        return self._loop

    def _leave_in_order(self, real):
        """The interpreter takes registered modules apart one by one, which writes what their open files have buffered."""
        for name, node in self._nodes.items():
            sys.modules[f"{node.module.__name__} {name}"] = node.module
        self._nodes.clear()
        sys.stdout = sys.stderr = real

    def _begins(self, node):
        """The modules that the code of a package tool begins in, as the observer calls them."""
        modules = (getattr(module, "__file__", None) for module in getattr(node, "begins_in", ()))
        found = {self._observer.files.module_of(file) for file in modules if isinstance(file, str)}
        return {"beginsIn": sorted(found)} if found else {}

    def _load(self, request):
        call = Call(request["id"], None, {})
        token = current_call.set(call)
        try:
            node = self._nodes[request["node"]] = load_node(request)
            self._nodes_as_written[json.dumps(request["node"], ensure_ascii=False)] = node
            listen_to_installed_metrics()
            self._reply(call.id, json.dumps({**node.describe(), **self._begins(node)}), call)
        except BaseException as error:
            self._reply_failure(call.id, error, call)
        finally:
            current_call.reset(token)

    def _call(self, id, how, trace, name, inputs):
        node = self._nodes_as_written.get(name) or self._nodes[json.loads(name)]
        decoded = self._handles.decode(inputs)
        given = GivenInputs(inputs, decoded, self._handles) if "shared" in how else None
        call = Call(id, node, decoded, given, trace)
        self._active[id] = call
        if node.is_async:
            self._run(call)
        else:
            self._threads.run(self._run, call)

    def _run(self, call):
        token = current_call.set(call)
        in_trace = join_trace(call.trace)
        try:
            result = call.node.function(**call.node.arguments(call.inputs))
            if hasattr(type(result), "__await__"):
                self._await(call, result)
                return
            self._finish(call, result)
        except BaseException as error:
            self._fail(call, error)
        finally:
            leave_trace(in_trace)
            current_call.reset(token)

    def _await(self, call, awaitable):
        self._event_loop().run(awaitable, lambda value: self._finish(call, value), lambda error: self._fail(call, error))

    def _finish(self, call, value):
        self._channels.end_child()
        del self._active[call.id]
        try:
            text, original, more = told_output(call, value, self._handles)
        except BaseException as error:
            self._reply_failure(call.id, error, call)
            return
        self._reply(call.id, text, call, original, more)

    def _fail(self, call, error):
        if self._channels.is_child:
            _print_uncaught(error)
            self._channels.end_child()
        self._active.pop(call.id, None)
        self._reply_failure(call.id, error, call)

    def _reply(self, id, value_text, call=None, original=None, more=""):
        if len(value_text) > MOST_CHARACTERS:
            self._reply_failure(id, ValueError(too_large(value_text)), call)
            return
        head = f'{{"id":{id},"ok":true,"value":{value_text}'
        if original is not None:
            head += f',"original":{original}'
        self._write(head + more + report(call, self._handles, leaves_open='"stream": true' in value_text))

    def _reply_failure(self, id, error, call=None):
        failure = json.dumps(describe(error, self._folder))
        self._write(f'{{"id":{id},"ok":false,"error":{failure}' + report(call, self._handles))

    def _write(self, reply):
        """With what code was seen to read until then: what had a part in a reply comes before it or in it."""
        self._threads.free()
        with self._writing:
            seen = self._observer.take()
            self._channels.write((reply + (f',"seen":{seen}' if seen else "") + "}\n").encode("utf-8"))

    def _write_line(self, line):
        with self._writing:
            self._channels.write(line.encode("utf-8"))

    def _only_call(self):
        """Threads that user code starts belong to no call; with one call running there is no doubt."""
        try:
            return next(iter(self._active.values())) if len(self._active) == 1 else None
        except (StopIteration, RuntimeError):
            return None


def _print_uncaught(error):
    if not isinstance(error, SystemExit):
        sys.__excepthook__(type(error), error, error.__traceback__)
