"""Of Azure's runtime, which is not public, what promptflow_vectordb imports of it, and the variable that its index lookup reads."""
import os

os.environ.setdefault("BUILD_INFO", '{"build_number": "flow"}')
