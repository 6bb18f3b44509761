"""Runs rows of a flow folder with the package promptflow and prints one JSON line for each: outputs, or the error's words."""

import json
import sys
from pathlib import Path


def main():
    from promptflow.executor import FlowExecutor

    asked = json.loads(sys.stdin.read())
    folder = Path(asked["folder"])
    executor = FlowExecutor.create(folder / "flow.dag.yaml", asked["connections"], working_dir=folder, raise_ex=False)
    for index, row in enumerate(asked["rows"]):
        result = executor.exec_line(row, index=index)
        outputs = {name: value for name, value in result.output.items() if name != "line_number"}
        failed = (result.run_info.error or {}).get("message")
        print("ROW " + json.dumps({"outputs": outputs} if failed is None else {"error": failed}))


if __name__ == "__main__":
    main()
