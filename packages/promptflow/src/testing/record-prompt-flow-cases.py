"""Records again what Prompt flow sends and gives for the cases of a file, in place.

    python -m venv pf && pf/bin/pip install promptflow-core promptflow-devkit promptflow-tools
    pf/bin/python record-prompt-flow-cases.py ../recorded/llm/prompt-flow-cases.jsonl [package.json]

A case to be added needs `name`, `flow`, `files` and `inputs`; `package.json` holds files that all cases share.
"""

import io
import json
import logging
import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REFUSALS = {
    "BADKEY": (401, {"error": {"message": "Incorrect API key provided: x", "type": "invalid_request_error"}}),
    "QUOTA": (429, {"error": {"message": "You exceeded", "type": "insufficient_quota", "code": "insufficient_quota"}}),
    "AZ400": (404, {"statusCode": 404, "message": "Resource not found"}),
    "TEXT400": (400, "plain bad"),
    "EMPTY400": (400, ""),
}
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
SEEN = []


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_arguments):
        pass

    def do_POST(self):
        text = self.rfile.read(int(self.headers["content-length"])).decode()
        body = json.loads(text)
        SEEN.append(
            {"path": self.path, "calledFrom": self.headers.get("ms-azure-ai-promptflow-called-from"), "body": body}
        )
        refusal = next((REFUSALS[word] for word in REFUSALS if word in text), None)
        if refusal is None and body.get("stream"):
            return self.stream(body)
        status, answer = refusal or (200, self.answer(body))
        data = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def answer(self, body):
        shared = {"id": "1", "created": 0, "model": "m", "usage": USAGE}
        if "/embeddings" in self.path:
            return {**shared, "object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [0.25, 0.5]}]}
        if "/chat/" not in self.path:
            return {**shared, "object": "text_completion", "choices": [{"index": 0, "finish_reason": "stop", "text": "done"}]}
        message = {"role": "assistant", "content": "reply"}
        call = {"name": "f", "arguments": "{}"}
        if body.get("tools"):
            message = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": call}]}
        elif body.get("functions"):
            message = {"role": "assistant", "content": None, "function_call": call}
        return {**shared, "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}

    def stream(self, body):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for delta in ({"role": "assistant", "content": ""}, {"content": "he"}, {"content": "llo"}, {}):
            choices = [{"index": 0, "delta": delta, "finish_reason": None}]
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": choices}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


def connections(url):
    def connection(kind, **value):
        return {"type": kind, "module": "promptflow.connections", "value": {"api_key": "dummy-key", **value}}

    return {
        "azure_open_ai_connection": connection(
            "AzureOpenAIConnection", api_base=f"{url}/", api_type="azure", api_version="2023-07-01-preview"
        ),
        "open_ai_connection": connection("OpenAIConnection", organization="dummy-org", base_url=f"{url}/v1"),
        "serverless": connection("ServerlessConnection", api_base=url),
        "custom": {"type": "CustomConnection", "module": "promptflow.connections", "value": {"k": "v"}},
        "other": {"type": "CustomConnection", "module": "promptflow.connections", "value": {
            "k": "w", "promptflow.connection.custom_type": "Other", "promptflow.connection.module": "probe_tools"}},
        "safety": connection("AzureContentSafetyConnection", endpoint=url, api_version="2023-10-01"),
    }


def record(case, shared_files, url):
    from promptflow.executor.flow_executor import FlowExecutor

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        files = {**case["files"], **shared_files, "flow.dag.yaml": written(case["flow"])}
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8", newline="")
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        known = set(sys.modules)
        SEEN.clear()
        kept = {key: value for key, value in case.items() if key not in ("output", "error", "loadError", "requests")}
        try:
            executor = FlowExecutor.create(folder / "flow.dag.yaml", connections(url), folder, raise_ex=False)
            result = executor.exec_line(case["inputs"], index=0)
            error = result.run_info.error
            told = {"error": {"message": error["message"], "codes": codes(error)}} if error else {"output": result.output["o"]}
        except Exception as error:
            told = {"loadError": {"message": str(error), "codes": error.error_codes}}
        finally:
            sys.path.remove(str(folder))
            for module in set(sys.modules) - known:
                if str(getattr(sys.modules[module], "__file__", "") or "").startswith(str(folder)):
                    del sys.modules[module]
            os.chdir("/")
        return {**kept, **told, "requests": list(SEEN)}


def written(flow):
    """YAML without quotes where none are needed: how a text is quoted shows in some of Prompt flow's messages."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe")
    yaml.sort_base_mapping_type_on_output = False
    yaml.allow_unicode = True
    text = io.StringIO()
    yaml.dump(flow, text)
    return text.getvalue()


def codes(error):
    found = []
    while error:
        found.append(error.get("code"))
        error = error.get("innerError")
    return found


def main():
    logging.disable(logging.CRITICAL)
    path = Path(sys.argv[1]).resolve()
    shared_files = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")) if len(sys.argv) > 2 else {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    recorded = [json.dumps(record(case, shared_files, url), ensure_ascii=False) for case in cases]
    path.write_text("\n".join(recorded) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
